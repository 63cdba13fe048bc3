//! Values that the client sets for a template.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use super::Server;
use crate::response::{Answer, Failure};
use crate::value_sets::DEFAULT;
use crate::what_if::WhatIf;
use crate::{handlers, uri};

impl Server {
    pub(super) fn set_values(&mut self, params: &Value) -> Answer {
        let uri = params.get("uri").and_then(Value::as_str).ok_or_else(|| Failure::params("no uri"))?;
        let path = uri::to_path(uri);
        let values = handlers::values::read(&self.view, &path, params)?;
        let mut all: BTreeMap<PathBuf, WhatIf> = (*self.view.values).clone();
        if values == WhatIf::default() && self.view.settings_of(&path).values == DEFAULT {
            all.remove(&path);
        } else {
            all.insert(path, values);
        }
        self.view.values = Arc::new(all);
        self.view.settled = self.view.world.forget_options();
        self.next();
        self.refresh_all();
        Ok(Value::Null)
    }
}
