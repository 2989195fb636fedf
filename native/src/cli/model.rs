//! The model that the options and the environment name.
//!
//! Decides where it is and what it is called. Never asks it anything, and never shows its key.

use std::env;

use super::args::ModelArgs;
use super::failure::Failure;
use crate::model::Model;

const NAME: &str = "HARDWON_MODEL";
const URL: &str = "HARDWON_MODEL_URL";
const KEY: &str = "HARDWON_MODEL_KEY";

/// The model, where one is to be used.
pub(super) fn model(args: &ModelArgs) -> Result<Option<Box<dyn Model>>, Failure> {
    let Some(name) = &args.model else { return Ok(None) };
    let or_variable = |given: &str, variable: &str, what: &str| {
        let value = if given.is_empty() { from_environment(variable)? } else { given.to_owned() };
        if value.is_empty() {
            let message = format!("no model {what} is given: name it with the option, or set {variable}");
            return Err(Failure::usage("usage.model", message));
        }
        Ok(value)
    };
    let name = or_variable(name, NAME, "name")?;
    let url = or_variable(args.model_url.as_deref().unwrap_or_default(), URL, "address")?;
    open(url, name, from_environment(KEY)?).map(Some)
}

#[cfg(feature = "model-http")]
fn open(url: String, name: String, key: String) -> Result<Box<dyn Model>, Failure> {
    use crate::model::{HttpModel, HttpOptions};
    Ok(Box::new(HttpModel::new(HttpOptions::new(url, name, key))?))
}

#[cfg(not(feature = "model-http"))]
fn open(_: String, _: String, _: String) -> Result<Box<dyn Model>, Failure> {
    let message =
        "this build has no model client; build hardwon with the feature model-http, or leave --model out";
    Err(Failure::usage("usage.no_model_client", message))
}

/// What a variable says; nothing where it is not set.
#[allow(clippy::disallowed_methods, reason = "settings of the command come from its environment")]
fn from_environment(variable: &str) -> Result<String, Failure> {
    match env::var(variable) {
        Ok(value) => Ok(value.trim().to_owned()),
        Err(env::VarError::NotPresent) => Ok(String::new()),
        Err(env::VarError::NotUnicode(_)) => {
            Err(Failure::usage("usage.model", format!("{variable} is not UTF-8; set it anew")))
        }
    }
}
