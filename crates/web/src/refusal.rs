//! Why a request is not answered, as a status, a few words and JSON.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use geometry::BadRules;
use serde::Serialize;

use crate::answer;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Refusal {
    /// Meant for another server: DNS rebinding, or a name that was not allowed.
    #[error("this server is not called that; start it with --name NAME to allow a name")]
    Host,
    /// Asked by the page of another site.
    #[error("pages of other sites may not ask this server")]
    Origin,
    /// Without the secret.
    #[error("this server asks for its token: open the address that it printed")]
    Token,
    /// Too often.
    #[error("too many requests; wait a second")]
    Rate,
    /// Too much at once.
    #[error("too much is going on already; {0}")]
    Busy(&'static str),
    #[error("there is nothing here")]
    NotFound,
    #[error("this address is not asked that way")]
    Method,
    #[error("a value in the address cannot be read")]
    Address,
    #[error("the body is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body did not arrive")]
    Broken,
    #[error("not the JSON that is expected here: {0}")]
    Json(#[from] serde_json::Error),
    #[error("`{found}` is no value of `{name}` here; {expected}")]
    Value { name: &'static str, found: Box<str>, expected: &'static str },
    #[error(transparent)]
    Rules(#[from] BadRules),
    #[error("cannot read the game: {0}")]
    Read(#[from] record::ReadError),
    #[error("a drawing without an order is not played; check it first")]
    Drawing,
    #[error("move {number}: {reason}")]
    Illegal { number: usize, reason: rules::IllegalMove },
    #[error("more than {most} {what} at once are beyond this server; `morpion` itself takes more")]
    TooMuch { what: &'static str, most: usize },
    #[error("{0}")]
    Judge(verify::Refusal),
    #[error(transparent)]
    Search(#[from] search::UnknownMethod),
    #[error(transparent)]
    Hunt(#[from] hunt::HuntError),
    #[error("cannot draw this: {0}")]
    Render(#[from] render::RenderError),
    #[error("cannot write this: {0}")]
    Write(#[from] record::WriteError),
    #[error("cannot read the formula: {0}")]
    Formula(#[from] reduce::cnf::ReadError),
    #[error(transparent)]
    Compile(#[from] reduce::CompileError),
    #[error("no such board: {reason}")]
    Board { reason: bound::BadBoard },
    #[error(transparent)]
    Model(#[from] bound::model::NoModel),
    #[error("no solver: run scripts/solver to fetch HiGHS, and start the server again")]
    NoSolver,
    #[error(transparent)]
    Certificate(#[from] bound::lp::NoCertificate),
    #[error("no game fits on this board, so there is nothing to draw")]
    NothingToDraw,
    #[error("this server keeps no archive")]
    NoArchive,
    #[error(transparent)]
    NotAccepted(#[from] evidence::NotAccepted),
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error("there is no such hunt, or it is long over")]
    NoHunt,
    #[error("the hunt cannot be saved: {0}")]
    Unsaved(#[from] hunt::TooLarge),
    #[error("cannot go on: {0}")]
    Saved(#[from] hunt::BadSave),
    #[error("this hunt is {0}")]
    HuntIs(&'static str),
    /// A mistake of ours.
    #[error("the server could not do this; what it prints says why")]
    Failed,
}

impl Refusal {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Host => StatusCode::MISDIRECTED_REQUEST,
            Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Rate => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotFound | Self::NoHunt | Self::NoArchive | Self::NoSolver => {
                StatusCode::NOT_FOUND
            }
            Self::Store(store::StoreError::Unknown(_)) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge(_) | Self::TooMuch { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::HuntIs(_) => StatusCode::CONFLICT,
            Self::Address | Self::Broken | Self::Json(_) | Self::Value { .. } | Self::Rules(_) => {
                StatusCode::BAD_REQUEST
            }
            Self::Failed | Self::Hunt(_) | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    /// The faulty move, counted from 1.
    fn number(&self) -> Option<usize> {
        match self {
            Self::Illegal { number, .. } => Some(*number),
            Self::Judge(refusal) => refusal.number().map(|number| number as usize),
            _ => None,
        }
    }
}

/// What goes back.
#[derive(Serialize)]
struct Told {
    error: String,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
}

/// What the log is told, in the answer's extensions.
#[derive(Debug, Clone)]
pub(crate) struct Reason(pub(crate) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        // Messages quote at most a snippet of what was sent, but libraries may say more.
        let error: String =
            self.to_string().chars().filter(|c| !c.is_control()).take(500).collect();
        let (status, reason) = (self.status(), Reason(error.clone()));
        // What goes wrong in here, such as the name of a file, is nothing for strangers.
        let error = if status.is_server_error() && !matches!(self, Self::Busy(_)) {
            Self::Failed.to_string()
        } else {
            error
        };
        let mut response = answer::json_with(status, &Told { error, number: self.number() });
        response.extensions_mut().insert(reason);
        response
    }
}
