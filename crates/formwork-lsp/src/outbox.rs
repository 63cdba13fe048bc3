//! Messages to the client.

use crossbeam_channel::Sender;
use lsp_server::Message;

use crate::record::Recorder;
use crate::transport::Outgoing;

pub(crate) struct Outbox {
    sender: Sender<Outgoing>,
    recorder: Option<Recorder>,
}

impl Outbox {
    pub(crate) fn new(sender: Sender<Outgoing>, recorder: Option<Recorder>) -> Outbox {
        Outbox { sender, recorder }
    }

    /// Sends a message, unless the client is gone.
    pub(crate) fn send(&self, outgoing: Outgoing) {
        if let Some(recorder) = &self.recorder {
            recorder.add("server", &outgoing.text(), &[]);
        }
        let _ = self.sender.send(outgoing);
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// Records a message of the client; the values of parameters with these names are masked.
    pub(crate) fn record(&self, message: &Message, secrets: &[String]) {
        if let Some(recorder) = &self.recorder {
            recorder.add("client", &Outgoing::Message(message.clone()).text(), secrets);
        }
    }
}
