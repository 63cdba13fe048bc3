//! Endpoints of services.

use aws_sdk_sts::config::endpoint::{DefaultResolver, Params, ResolveEndpoint};
use aws_types::SdkConfig;
use aws_types::service_config::ServiceConfigKey;
use formwork_template::ecr::is_region;

use crate::call_error::deepest;
use crate::service::Service;

/// A URL, and the Region that requests to it are signed for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Endpoint {
    pub(crate) url: String,
    pub(crate) signing_region: String,
    pub(crate) is_configured: bool,
}

/// Returns the endpoint of a service: the configured one, otherwise that of the Region.
///
/// # Errors
/// The reason why the Region has no endpoint.
pub(crate) async fn resolve(service: Service, region: &str, config: &SdkConfig) -> Result<Endpoint, String> {
    // A Region may come from a server, and host names contain it.
    if !is_region(region) {
        return Err(format!("`{region}` is not the name of a Region"));
    }
    let (is_fips, is_dual) = (config.use_fips().unwrap_or(false), config.use_dual_stack().unwrap_or(false));
    let regional = sts(region, is_fips, is_dual).await;
    // The partition is known by its DNS suffix; one that is new to Formwork has no global Region.
    let global = regional.as_deref().ok().and_then(|url| global(region, url));
    let signing_region = match service {
        Service::Route53 => global.map_or(region, |global| global.region).to_owned(),
        _ => region.to_owned(),
    };
    if let Some(url) = configured(service, config) {
        return Ok(Endpoint { url, signing_region, is_configured: true });
    }
    let url = match service {
        Service::Ecr => ecr(&regional?),
        Service::S3 => {
            regional?;
            s3(&sts(region, false, false).await?, is_fips, is_dual)?
        }
        Service::Route53 => {
            regional?;
            let host = global.ok_or_else(|| format!("the endpoint of Route 53 for {region} is not known"))?.host;
            format!("https://{}", if is_fips { host.replacen("route53", "route53-fips", 1) } else { host.to_owned() })
        }
        _ => regional?.replacen("://sts", &format!("://{}", service.signing_name()), 1),
    };
    Ok(Endpoint { url, signing_region, is_configured: false })
}

/// Returns the endpoint of the caller, the environment or the profile, in this order; a value for one service overrides
/// one for all.
fn configured(service: Service, config: &SdkConfig) -> Option<String> {
    let for_all = config.endpoint_url().map(str::to_owned);
    if config.get_origin("endpoint_url").is_client_config() {
        return for_all;
    }
    let key = ServiceConfigKey::builder().service_id(service.id()).env("AWS_ENDPOINT_URL").profile("endpoint_url");
    key.build().ok().and_then(|key| config.service_config()?.load_config(key)).or(for_all)
}

/// Derives ECR's endpoint from that of STS: its first word differs for each kind.
fn ecr(regional: &str) -> String {
    let word = if regional.contains("://sts-fips.") {
        "://ecr-fips"
    } else if regional.contains(".api.") {
        "://ecr"
    } else {
        "://api.ecr"
    };
    regional.replacen("://sts-fips", "://sts", 1).replacen("://sts", word, 1)
}

/// Derives S3's endpoint from the plain one of STS: for FIPS and for both versions of IP its first words differ, and
/// the suffix stays.
fn s3(plain: &str, is_fips: bool, is_dual: bool) -> Result<String, String> {
    if is_fips && plain.ends_with(".amazonaws.com.cn") {
        return Err("S3 has no FIPS endpoints in China".to_owned());
    }
    let word = match (is_fips, is_dual) {
        (false, false) => "://s3",
        (true, false) => "://s3-fips",
        (false, true) => "://s3.dualstack",
        (true, true) => "://s3-fips.dualstack",
    };
    Ok(plain.replacen("://sts", word, 1))
}

/// Returns STS's endpoint in a Region, by the SDK's rules. Those of most other services differ only in their first
/// word.
async fn sts(region: &str, is_fips: bool, is_dual: bool) -> Result<String, String> {
    let params = Params::builder()
        .region(region)
        .use_fips(is_fips)
        .use_dual_stack(is_dual)
        .build()
        .map_err(|error| error.to_string())?;
    let endpoint = DefaultResolver::new().resolve_endpoint(&params).await;
    endpoint
        .map(|endpoint| endpoint.url().to_owned())
        .map_err(|error| deepest(error.as_ref()).unwrap_or_else(|| error.to_string()))
}

/// The host of a partition's global services, and the Region they are signed for.
#[derive(Clone, Copy)]
struct Global {
    suffixes: &'static [&'static str],
    host: &'static str,
    region: &'static str,
}

const GLOBAL: [Global; 7] = [
    Global { suffixes: &[".amazonaws.com", ".api.aws"], host: "route53.amazonaws.com", region: "us-east-1" },
    Global {
        suffixes: &[".amazonaws.com.cn", ".api.amazonwebservices.com.cn"],
        host: "route53.amazonaws.com.cn",
        region: "cn-northwest-1",
    },
    Global {
        suffixes: &[".amazonaws.eu", ".api.amazonwebservices.eu"],
        host: "route53.amazonaws.eu",
        region: "eusc-de-east-1",
    },
    Global { suffixes: &[".c2s.ic.gov", ".api.aws.ic.gov"], host: "route53.c2s.ic.gov", region: "us-iso-east-1" },
    Global {
        suffixes: &[".sc2s.sgov.gov", ".api.aws.scloud"],
        host: "route53.sc2s.sgov.gov",
        region: "us-isob-east-1",
    },
    Global {
        suffixes: &[".cloud.adc-e.uk", ".api.cloud-aws.adc-e.uk"],
        host: "route53.cloud.adc-e.uk",
        region: "eu-isoe-west-1",
    },
    Global {
        suffixes: &[".csp.hci.ic.gov", ".api.aws.hci.ic.gov"],
        host: "route53.csp.hci.ic.gov",
        region: "us-isof-south-1",
    },
];

/// The government's partition shares the suffix of the commercial one.
const GOVERNMENT: Global = Global { suffixes: &[], host: "route53.us-gov.amazonaws.com", region: "us-gov-west-1" };

fn global(region: &str, url: &str) -> Option<&'static Global> {
    if region.starts_with("us-gov-") {
        return Some(&GOVERNMENT);
    }
    GLOBAL.iter().find(|global| global.suffixes.iter().any(|suffix| url.ends_with(suffix)))
}

#[cfg(test)]
mod tests {
    use aws_types::origin::Origin;

    use super::*;
    use crate::runtime::runtime;

    #[test]
    fn no_host_is_made_of_what_is_not_a_region() {
        let config = SdkConfig::builder().build();
        for region in ["eu-west-1.evil.example/#", "evil.example/", "a@evil.example", "", "x y"] {
            for service in [Service::S3, Service::Ecr, Service::Lambda, Service::Route53] {
                let found = runtime().expect("a runtime").block_on(resolve(service, region, &config));
                assert!(found.is_err(), "{region}");
            }
        }
    }

    fn resolve_in(service: Service, region: &str, config: &SdkConfig) -> (String, String) {
        let endpoint = runtime().expect("a runtime").block_on(resolve(service, region, config)).expect("an endpoint");
        (endpoint.url, endpoint.signing_region)
    }

    fn check(service: Service, region: &str, fips: bool, dual: bool, url: &str, signing: &str) {
        let config = SdkConfig::builder().use_fips(fips).use_dual_stack(dual).build();
        assert_eq!(resolve_in(service, region, &config), (url.to_owned(), signing.to_owned()));
    }

    #[test]
    fn of_every_partition() {
        use Service::{ApiGateway, Ec2, Ecr, Lambda, Logs, Route53, S3, Ssm, StepFunctions};
        check(Ec2, "eu-west-1", false, false, "https://ec2.eu-west-1.amazonaws.com", "eu-west-1");
        check(Ec2, "us-east-1", true, false, "https://ec2-fips.us-east-1.amazonaws.com", "us-east-1");
        check(Ec2, "us-east-1", false, true, "https://ec2.us-east-1.api.aws", "us-east-1");
        check(Ec2, "us-gov-west-1", true, false, "https://ec2.us-gov-west-1.amazonaws.com", "us-gov-west-1");
        check(Ec2, "cn-north-1", false, false, "https://ec2.cn-north-1.amazonaws.com.cn", "cn-north-1");
        check(Ec2, "eusc-de-east-1", false, false, "https://ec2.eusc-de-east-1.amazonaws.eu", "eusc-de-east-1");
        check(Ecr, "eu-west-1", false, false, "https://api.ecr.eu-west-1.amazonaws.com", "eu-west-1");
        check(Ecr, "us-east-1", true, false, "https://ecr-fips.us-east-1.amazonaws.com", "us-east-1");
        check(Ecr, "us-east-1", false, true, "https://ecr.us-east-1.api.aws", "us-east-1");
        check(Ecr, "cn-north-1", false, false, "https://api.ecr.cn-north-1.amazonaws.com.cn", "cn-north-1");
        check(Route53, "eu-west-1", false, false, "https://route53.amazonaws.com", "us-east-1");
        check(Route53, "eu-west-1", true, false, "https://route53-fips.amazonaws.com", "us-east-1");
        check(Route53, "eu-west-1", false, true, "https://route53.amazonaws.com", "us-east-1");
        check(Route53, "us-gov-east-1", false, false, "https://route53.us-gov.amazonaws.com", "us-gov-west-1");
        check(Route53, "cn-north-1", false, false, "https://route53.amazonaws.com.cn", "cn-northwest-1");
        check(Lambda, "eu-west-1", false, false, "https://lambda.eu-west-1.amazonaws.com", "eu-west-1");
        check(Lambda, "us-east-1", true, false, "https://lambda-fips.us-east-1.amazonaws.com", "us-east-1");
        check(Logs, "us-east-1", true, false, "https://logs-fips.us-east-1.amazonaws.com", "us-east-1");
        check(Logs, "cn-north-1", false, false, "https://logs.cn-north-1.amazonaws.com.cn", "cn-north-1");
        check(Ssm, "eu-west-1", false, false, "https://ssm.eu-west-1.amazonaws.com", "eu-west-1");
        check(Ssm, "us-gov-west-1", true, false, "https://ssm.us-gov-west-1.amazonaws.com", "us-gov-west-1");
        check(StepFunctions, "cn-north-1", false, false, "https://states.cn-north-1.amazonaws.com.cn", "cn-north-1");
        check(ApiGateway, "us-east-1", false, true, "https://apigateway.us-east-1.api.aws", "us-east-1");
        check(S3, "eu-west-1", false, false, "https://s3.eu-west-1.amazonaws.com", "eu-west-1");
        check(S3, "us-east-1", false, false, "https://s3.us-east-1.amazonaws.com", "us-east-1");
        check(S3, "us-east-1", true, false, "https://s3-fips.us-east-1.amazonaws.com", "us-east-1");
        check(S3, "us-east-1", false, true, "https://s3.dualstack.us-east-1.amazonaws.com", "us-east-1");
        check(S3, "us-east-1", true, true, "https://s3-fips.dualstack.us-east-1.amazonaws.com", "us-east-1");
        check(S3, "us-gov-west-1", false, false, "https://s3.us-gov-west-1.amazonaws.com", "us-gov-west-1");
        check(S3, "us-gov-west-1", true, false, "https://s3-fips.us-gov-west-1.amazonaws.com", "us-gov-west-1");
        check(S3, "us-gov-east-1", false, true, "https://s3.dualstack.us-gov-east-1.amazonaws.com", "us-gov-east-1");
        check(S3, "cn-north-1", false, false, "https://s3.cn-north-1.amazonaws.com.cn", "cn-north-1");
        check(S3, "cn-north-1", false, true, "https://s3.dualstack.cn-north-1.amazonaws.com.cn", "cn-north-1");
        check(S3, "us-iso-east-1", false, false, "https://s3.us-iso-east-1.c2s.ic.gov", "us-iso-east-1");
        check(Route53, "us-isob-east-1", false, false, "https://route53.sc2s.sgov.gov", "us-isob-east-1");
    }

    #[test]
    fn s3_has_no_fips_endpoints_in_china() {
        let config = SdkConfig::builder().use_fips(true).build();
        let resolved = runtime().expect("a runtime").block_on(resolve(Service::S3, "cn-north-1", &config));
        assert_eq!(resolved, Err("S3 has no FIPS endpoints in China".to_owned()));
    }

    #[test]
    fn what_is_configured_wins() {
        let mut config = SdkConfig::builder().endpoint_url("http://localhost:5000");
        config.insert_origin("endpoint_url", Origin::shared_config());
        let (url, signing) = resolve_in(Service::Route53, "eu-west-1", &config.build());
        assert_eq!((url.as_str(), signing.as_str()), ("http://localhost:5000", "us-east-1"));
    }
}
