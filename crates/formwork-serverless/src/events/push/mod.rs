//! Sources that invoke a function or start a state machine themselves.

mod bucket;
pub(crate) mod bucket_state;
mod dead_letters;
mod link;
mod pool;
mod rule;
mod schedule;
mod skill;
mod targets;
mod thing;
mod topic;

pub(crate) use bucket::set_tags as set_bucket_tags;
pub(super) use targets::check as check_link;

use super::event::Source;
use crate::properties::{Kind, of};

/// Sources of functions.
pub(super) const OF_FUNCTIONS: [Source; 9] = [
    Source {
        name: bucket::LINK.source,
        properties: &[
            of("Bucket", Kind::Text).required(),
            of("Events", Kind::OneOrTexts).required().without_calls(),
            of("Filter", Kind::OneMap),
        ],
        translate: bucket::translate,
    },
    Source {
        name: pool::LINK.source,
        properties: &[
            of("UserPool", Kind::Text).required(),
            of("Trigger", Kind::OneOrTexts).required().without_calls(),
        ],
        translate: pool::translate,
    },
    Source {
        name: "SNS",
        properties: &[
            of("Topic", Kind::Text).required(),
            of("Region", Kind::Text),
            of("FilterPolicy", Kind::Any),
            of("FilterPolicyScope", Kind::Any),
            of("SqsSubscription", Kind::BoolOrMap),
            of("RedrivePolicy", Kind::Map),
        ],
        translate: topic::translate,
    },
    Source { name: "Schedule", properties: &rule::SCHEDULE, translate: rule::scheduled },
    SCHEDULE_V2,
    Source { name: "CloudWatchEvent", properties: &rule::PATTERN, translate: rule::matched },
    Source { name: "EventBridgeRule", properties: &rule::PATTERN, translate: rule::matched },
    Source {
        name: "IoTRule",
        properties: &[of("Sql", Kind::Text).required(), of("AwsIotSqlVersion", Kind::Text)],
        translate: thing::translate,
    },
    Source { name: "AlexaSkill", properties: &[of("SkillId", Kind::Text)], translate: skill::translate },
];

/// Sources of state machines.
pub(super) const OF_STATE_MACHINES: [Source; 4] = [
    Source { name: "Schedule", properties: &rule::SCHEDULE_OF_MACHINE, translate: rule::scheduled },
    SCHEDULE_V2,
    Source { name: "CloudWatchEvent", properties: &rule::PATTERN_OF_MACHINE, translate: rule::matched },
    Source { name: "EventBridgeRule", properties: &rule::PATTERN_OF_MACHINE, translate: rule::matched },
];

const SCHEDULE_V2: Source =
    Source { name: "ScheduleV2", properties: &schedule::PROPERTIES, translate: schedule::translate };
