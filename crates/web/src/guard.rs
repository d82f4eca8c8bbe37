//! Which requests are admitted.
//!
//! A browser sends what any page asks it to, so a server on this machine needs protection. A
//! request must name this server as its host (against DNS rebinding), must not come from another
//! site's page, and needs the token if other machines can reach the server.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, LOCATION,
    ORIGIN, REFERRER_POLICY, SET_COOKIE, TRANSFER_ENCODING, USER_AGENT, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::log::RequestLine;
use crate::rate::Rate;
use crate::refusal::{Reason, Refusal};
use crate::server::App;
use crate::token::Token;

/// Scripts, modules, styles and requests only from here; images from here or made by our scripts.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
        form-action 'none'; \
    frame-ancestors 'none'";

/// The cookie that holds the token.
const COOKIE_NAME: &str = "morpion-token";

/// The sender of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Decides which requests are admitted.
pub(crate) struct Guard {
    names: Vec<String>,
    token: Option<Token>,
    rate: Rate,
}

impl Guard {
    pub(crate) fn new(names: Vec<String>, token: Option<Token>, rate: u32) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { names, token, rate: Rate::new(rate) }
    }

    /// Admits a request, or explains why not.
    fn admit(
        &self,
        peer: IpAddr,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        if !self.rate.admits(peer) {
            return Err(Refusal::Rate);
        }
        let host = text(headers, &HOST).ok_or(Refusal::Host)?;
        if headers.get_all(HOST).iter().count() != 1 || !self.is_ours(host) {
            return Err(Refusal::Host);
        }
        if is_foreign(host, method, headers) {
            return Err(Refusal::Origin);
        }
        match &self.token {
            Some(token) if !has_token(token, uri, headers) => Err(Refusal::Token),
            _ => Ok(()),
        }
    }

    /// Whether this host header means this server: an address, which DNS cannot redirect,
    /// `localhost`, or an allowed name.
    fn is_ours(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        match address {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => {
                let is_address = name.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4());
                is_address || name == "localhost" || self.names.contains(&name)
            }
        }
    }

    /// The response to a token in the URL: a cookie, and a redirect to the URL without it.
    fn welcome(&self, uri: &Uri) -> Option<Response> {
        let token = self.token.as_ref()?;
        let has_token = in_query(uri).is_some_and(|text| token.matches(text));
        if !has_token || uri.path() != "/" {
            return None;
        }
        let cookie = format!("{COOKIE_NAME}={}; HttpOnly; SameSite=Strict; Path=/", token.reveal());
        let cookie = HeaderValue::try_from(cookie).expect("a token is plain");
        Some(
            (
                StatusCode::SEE_OTHER,
                [(LOCATION, HeaderValue::from_static("/")), (SET_COOKIE, cookie)],
            )
                .into_response(),
        )
    }
}

/// Admits requests, adds security headers to responses, and logs refusals.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let line = RequestLine::new(peer, request.method(), request.uri());
    let mut admitted = app.guard.admit(peer, request.method(), request.uri(), request.headers());
    // Only a few large bodies are held at once, so that little memory stays with the process; and
    // none waits for many slow ones.
    let mut _place = None;
    if admitted.is_ok() && may_be_large(request.headers()) {
        match tokio::time::timeout(app.limits.body_time, app.large_bodies.acquire()).await {
            Ok(place) => _place = place.ok(),
            Err(_) => admitted = Err(Refusal::Busy("try again in a moment")),
        }
    }
    let mut response = match admitted {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match app.guard.welcome(request.uri()) {
            Some(welcome) => welcome,
            None => next.run(request).await,
        },
    };
    if response.status().is_client_error() && response.extensions().get::<Reason>().is_none() {
        // Refused by the router: a value in the URL that cannot be parsed.
        response = Refusal::Address.into_response();
    }
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        let reason = response.extensions().get::<Reason>();
        app.log.refused(&line, status, reason.map_or("", |Reason(text)| text));
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Whether a body is announced as large, or not announced at all.
fn may_be_large(headers: &HeaderMap) -> bool {
    const LARGE: u64 = 256 << 10;
    let length = text(headers, &CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    length.map_or(headers.contains_key(TRANSFER_ENCODING), |length| length > LARGE)
}

/// Whether a page of another site sent the request. Only browsers send these headers.
fn is_foreign(host: &str, method: &Method, headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    // A link may lead here, a form of another site may not.
    let navigates =
        method.is_safe() && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    let elsewhere = !matches!(site, None | Some(b"same-origin" | b"none")) && !navigates;
    // A browser that does not say where a change comes from may be sent by anybody.
    let is_browser = text(headers, &USER_AGENT).is_some_and(|agent| agent.starts_with("Mozilla/"));
    let is_silent = site.is_none() && !headers.contains_key(ORIGIN);
    if is_browser && is_silent && !method.is_safe() {
        return true;
    }
    let ours = |origin: &HeaderValue| {
        let origin = origin.to_str().unwrap_or_default();
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name == Some(host)
    };
    elsewhere || headers.get_all(ORIGIN).iter().any(|origin| !ours(origin))
}

/// Whether the request carries the token: in a header, in the cookie, or in the URL.
fn has_token(token: &Token, uri: &Uri, headers: &HeaderMap) -> bool {
    let bearer = text(headers, &AUTHORIZATION).and_then(|text| text.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let cookie = |text: &str| {
        let (name, value) = text.trim().split_once('=')?;
        (name == COOKIE_NAME && token.matches(value)).then_some(())
    };
    bearer.is_some_and(|text| token.matches(text))
        || cookies.flat_map(|text| text.split(';')).any(|text| cookie(text).is_some())
        || in_query(uri).is_some_and(|text| token.matches(text))
}

fn in_query(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(token: Option<Token>) -> Guard {
        Guard::new(vec!["Lab.example".to_owned()], token, 1000)
    }

    fn admitted(guard: &Guard, uri: &str, headers: &[(&'static str, &str)]) -> Result<(), u16> {
        admitted_by(&Method::GET, guard, uri, headers)
    }

    fn admitted_by(
        method: &Method,
        guard: &Guard,
        uri: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<(), u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::try_from(*value).expect("a header"));
        }
        let uri = uri.parse().expect("an address");
        guard.admit([127, 0, 0, 1].into(), method, &uri, &map).map_err(|no| no.status().as_u16())
    }

    #[test]
    fn requests_by_address_or_allowed_name_are_ours() {
        let guard = guard(None);
        for host in ["127.0.0.1:80", "localhost:8080", "[::1]:8080", "LAB.example", "10.0.0.7"] {
            assert_eq!(admitted(&guard, "/", &[("host", host)]), Ok(()), "{host}");
        }
        for host in
            ["evil.example", "127.0.0.1.evil.example:80", "", "[::1", "localhost.evil", "::1"]
        {
            assert_eq!(admitted(&guard, "/", &[("host", host)]), Err(421), "{host}");
        }
        assert_eq!(admitted(&guard, "/", &[]), Err(421));
        let twice = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(admitted(&guard, "/", &twice), Err(421));
    }

    #[test]
    fn pages_of_other_sites_are_foreign() {
        let guard = guard(None);
        let ask = |name, value| admitted(&guard, "/", &[("host", "localhost:1"), (name, value)]);
        assert_eq!(ask("origin", "http://localhost:1"), Ok(()));
        for origin in ["http://localhost:2", "https://evil.example", "null", ""] {
            assert_eq!(ask("origin", origin), Err(403), "{origin}");
        }
        assert_eq!(ask("sec-fetch-site", "same-origin"), Ok(()));
        assert_eq!(ask("sec-fetch-site", "cross-site"), Err(403));
        let link = [
            ("host", "localhost"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        assert_eq!(admitted(&guard, "/", &link), Ok(()), "a link may lead here");
    }

    #[test]
    fn a_form_of_another_site_changes_nothing() {
        let guard = guard(None);
        let post = |headers: &[(&'static str, &str)]| {
            let headers = [&[("host", "localhost")], headers].concat();
            admitted_by(&Method::POST, &guard, "/api/hunts", &headers)
        };
        let form = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(post(&form), Err(403));
        let agent = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)");
        assert_eq!(post(&[agent]), Err(403), "a browser that does not say where it comes from");
        assert_eq!(post(&[agent, ("origin", "http://localhost")]), Ok(()));
        assert_eq!(post(&[agent, ("sec-fetch-site", "same-origin")]), Ok(()));
        assert_eq!(post(&[("user-agent", "curl/8.5.0")]), Ok(()));
    }

    #[test]
    fn the_token_is_accepted_in_three_ways() {
        let token = Token::random().expect("random");
        let secret = token.reveal().to_owned();
        let guard = guard(Some(token));
        let host = ("host", "10.1.1.1:80");
        assert_eq!(admitted(&guard, "/api/methods", &[host]), Err(401));
        let bearer = format!("Bearer {secret}");
        assert_eq!(admitted(&guard, "/", &[host, ("authorization", &bearer)]), Ok(()));
        let cookie = format!("a=b; morpion-token={secret}");
        assert_eq!(admitted(&guard, "/", &[host, ("cookie", &cookie)]), Ok(()));
        assert_eq!(admitted(&guard, &format!("/?token={secret}"), &[host]), Ok(()));
        assert_eq!(admitted(&guard, "/?token=guess", &[host]), Err(401));
        let welcome = guard.welcome(&format!("/?token={secret}").parse().expect("an address"));
        assert!(welcome.is_some_and(|answer| answer.headers().contains_key(SET_COOKIE)));
    }
}
