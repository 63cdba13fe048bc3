//! `formwork local` (reference/local.md).

use formwork_local::commands::{
    InvokeChoices, LocalChoices, ServerChoices, StartApiChoices, generate_event, invoke, start_api, start_lambda,
};

use crate::Status;
use crate::args::{LocalArgs, LocalCommand, LocalInvokeArgs, LocalServerArgs, LocalStartApiArgs};
use crate::failure::Failure;

pub(crate) fn run(command: &LocalCommand) -> Result<Status, Failure> {
    // The runs end their functions and remove their temporary files.
    formwork::disk::temporaries::leave_signals();
    match command {
        LocalCommand::Invoke(args) => invoke::run(&once(args)),
        LocalCommand::StartLambda(args) => start_lambda::run(&local(&args.local), &server(&args.server, args.port)),
        LocalCommand::StartApi(args) => start_api::run(&api(args)),
        LocalCommand::GenerateEvent(args) => {
            generate_event::run(args.service.as_deref(), args.event.as_deref(), &args.values)
        }
    }
}

fn once(args: &LocalInvokeArgs) -> InvokeChoices {
    InvokeChoices {
        function: args.function.clone(),
        event: args.event.clone(),
        debug_port: args.debug_port,
        debugger_args: args.debugger_args.clone(),
        local: local(&args.local),
    }
}

fn api(args: &LocalStartApiArgs) -> StartApiChoices {
    StartApiChoices {
        disable_authorizer: args.disable_authorizer,
        static_dir: args.static_dir.clone(),
        server: server(&args.server, args.port),
        local: local(&args.local),
    }
}

fn server(args: &LocalServerArgs, port: u16) -> ServerChoices {
    ServerChoices {
        port,
        host: args.host.clone(),
        allowed_hosts: args.allowed_hosts.clone(),
        no_warm: args.no_warm,
        debug_port: args.debug_port,
        debug_function: args.debug_function.clone(),
        debugger_args: args.debugger_args.clone(),
        concurrency: args.concurrency,
    }
}

fn local(args: &LocalArgs) -> LocalChoices {
    LocalChoices {
        template_file: args.template_file.clone(),
        env_vars: args.env_vars.clone(),
        timeout_scale: args.timeout_scale,
        no_memory_limit: args.no_memory_limit,
        log_file: args.log_file.clone(),
        no_credentials: args.no_credentials,
        inputs: (&args.inputs).into(),
        report: (&args.report).into(),
    }
}
