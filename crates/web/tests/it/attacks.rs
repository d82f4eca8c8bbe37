//! What an attacker would try: each is refused with a 4xx, and each leaves a line in the log.

use std::fmt::Write as _;

use serde_json::json;
use web::{Limits, Token};

use crate::common::client::{Answer, Events};
use crate::common::{Lab, game, limits};
use crate::until::until_or;

/// Fails unless the answer is this 4xx, and the log has a line about it.
#[track_caller]
fn refused(lab: &Lab, answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!((400..500).contains(&status));
    let lines = lab.lines();
    let is_logged = lines.iter().any(|line| line.contains(&format!(" {status}: ")));
    assert!(is_logged, "{status} is not in {lines:?}");
}

#[test]
fn no_path_leads_to_a_file() {
    let lab = Lab::new();
    for path in [
        "/../../../../etc/passwd",
        "/js/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/js/pages/../../../src/lib.rs",
        "/api/proofs/../../../../etc/passwd",
        "/api/archive/..%2f..%2fetc%2fpasswd",
        "/index.html%00.js",
        "/api/nothing",
    ] {
        let method = if path.starts_with("/api/proofs") { "POST" } else { "GET" };
        let answer = lab.client().ask(method, path, b"");
        refused(&lab, &answer, 404);
        assert!(!answer.text().contains("root:"), "{path}");
    }
}

#[test]
fn a_huge_body_is_refused_before_it_is_read() {
    let lab = Lab::new();
    let head = format!(
        "POST /api/verify HTTP/1.1\r\nhost: {}\r\ncontent-length: 99999999999\r\n\r\n",
        lab.address
    );
    let mut client = lab.client();
    client.send(head.as_bytes()).expect("the server reads");
    refused(&lab, &client.answer(), 413);
}

#[test]
fn a_proof_may_be_larger_than_other_bodies_and_has_a_limit_too() {
    let lab = Lab::with(
        Limits {
            body_bytes: 1_000,
            proof_bytes: 100_000,
            body_time: std::time::Duration::from_secs(600),
            ..limits()
        },
        None,
    );
    lab.post("/api/proofs", "x".repeat(99_000)).is(200);
    refused(&lab, &lab.post("/api/proofs", "x".repeat(100_001)), 413);
    refused(&lab, &lab.post("/api/verify", "x".repeat(1_001)), 413);
}

#[test]
fn a_body_without_an_end_is_cut() {
    let lab = Lab::with(Limits { body_bytes: 100_000, ..limits() }, None);
    let host = lab.address;
    let mut client = lab.client();
    let head =
        format!("POST /api/verify HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\n\r\n");
    client.send(head.as_bytes()).expect("the server reads");
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    for _ in 0..25 {
        // It may be closed already.
        let _ = client.send(chunk.as_bytes());
    }
    refused(&lab, &client.answer(), 413);
}

#[test]
fn a_slow_body_is_not_waited_for() {
    let lab = Lab::new();
    let head = format!(
        "POST /api/verify HTTP/1.1\r\nhost: {}\r\ncontent-length: 10\r\n\r\n5",
        lab.address
    );
    let mut client = lab.client();
    client.send(head.as_bytes()).expect("the server reads");
    refused(&lab, &client.answer(), 408);
}

#[test]
fn large_bodies_that_are_slow_hold_up_nobody_for_long() {
    let lab = Lab::with(Limits { large_bodies: 1, ..limits() }, None);
    let head = format!(
        "POST /api/verify HTTP/1.1\r\nhost: {}\r\ncontent-length: 300000\r\n\r\n5",
        lab.address
    );
    let slow = || {
        let mut client = lab.client();
        client.send(head.as_bytes()).expect("the server reads");
        client
    };
    let clients: Vec<_> = (0..5).map(|_| slow()).collect();
    // In line they would all be served, one after the other.
    let statuses: Vec<u16> = clients.into_iter().map(|mut it| it.answer().status).collect();
    assert!(statuses.iter().all(|status| [408, 503].contains(status)), "{statuses:?}");
    assert!(statuses.iter().filter(|&&status| status == 503).count() >= 2, "{statuses:?}");
}

#[test]
fn a_slow_head_is_not_waited_for() {
    let lab = Lab::new();
    let mut client = lab.client();
    client.send(b"GET / HTTP/1.1\r\nhost: loc").expect("the server reads");
    assert!(client.is_closed());
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let lab = Lab::new();
    for path in ["/api/position", "/api/verify", "/api/convert/svg", "/api/archive", "/api/reduce"]
    {
        let answer = lab.post(path, b"\xff\xfe{\"format\": \"\xc3\x28\"}");
        refused(&lab, &answer, 422);
    }
    for path in ["/api/hunts", "/api/reduce/play"] {
        refused(&lab, &lab.post(path, b"{\"game\": \"\xff\"}"), 400);
    }
    let target = lab.client().ask("GET", "/api/games/%ff%fe", b"");
    refused(&lab, &target, 400);
}

#[test]
fn pages_of_other_sites_and_other_names_are_refused() {
    let lab = Lab::new();
    let host = lab.address.to_string();
    let ask =
        |headers: &[(&str, &str)]| lab.client().ask_with("POST", "/api/hunts", headers, b"{}");
    refused(&lab, &ask(&[("host", &host), ("origin", "https://evil.example")]), 403);
    refused(&lab, &ask(&[("host", &host), ("origin", "null")]), 403);
    refused(&lab, &ask(&[("host", &host), ("sec-fetch-site", "cross-site")]), 403);
    let rebound = format!("evil.example:{}", lab.address.port());
    refused(&lab, &ask(&[("host", &rebound)]), 421);
    refused(&lab, &ask(&[]), 421);
}

#[test]
fn scripts_in_names_stay_names() {
    let lab = Lab::new();
    let script = "<script>alert(1)</script>";
    refused(&lab, &lab.get("/api/games/%3Cscript%3Ealert(1)%3C%2Fscript%3E"), 400);
    let hunt = json!({"game": game("5D", &json!([])), "method": script});
    let answer = lab.post("/api/hunts", hunt.to_string());
    refused(&lab, &answer, 422);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let parameters = json!({"game": game("5D", &json!([])), "parameters": {script: 1}});
    refused(&lab, &lab.post("/api/hunts", parameters.to_string()), 422);
    let mut file = game("5D", &json!([]));
    file[script] = json!(1);
    refused(&lab, &lab.post("/api/verify", file.to_string()), 422);
}

#[test]
fn a_game_of_a_million_moves_is_refused_in_every_format() {
    let lab = Lab::new();
    let mut native = game("5T", &json!([])).to_string();
    native.truncate(native.find("[]").expect("no moves yet"));
    let mv = r#"{"new":[7,0],"line":[[3,0],"E"]}"#;
    write!(native, "[{}{mv}]}}", format!("{mv},").repeat(999_999)).expect("a string");
    for path in ["/api/position", "/api/verify", "/api/convert/png", "/api/archive"] {
        refused(&lab, &lab.post(path, &native), 413);
    }
    let pentasol = format!("(3,3)\n{}", "(7,0)-0\n".repeat(1_000_000));
    refused(&lab, &lab.post("/api/verify?game=5T", &pentasol), 413);
    let fewer = format!("(3,3)\n{}", "(7,0)-0\n".repeat(200_000));
    refused(&lab, &lab.post("/api/verify?game=5T", &fewer), 413);
    assert_eq!(lab.get("/api/games/5T").status, 200, "the server goes on");
}

#[test]
fn other_machines_need_the_token() {
    let token = Token::random().expect("random");
    let secret = token.reveal().to_owned();
    let lab = Lab::with(limits(), Some(token));
    for path in ["/", "/api/games/5T", "/js/main.js", "/?token=0123456789abcdef"] {
        refused(&lab, &lab.get(path), 401);
    }
    let welcome = lab.get(&format!("/?token={secret}")).is(303);
    assert_eq!(welcome.header("location"), Some("/"));
    let cookie = welcome.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value").to_owned();
    let host = lab.address.to_string();
    lab.client().ask_with("GET", "/", &[("host", &host), ("cookie", &cookie)], b"").is(200);
    assert!(lab.lines().iter().all(|line| !line.contains(&secret)), "the log keeps the secret");
}

#[test]
fn whoever_asks_too_often_has_to_wait() {
    let lab = Lab::with(Limits { rate: 5, ..limits() }, None);
    let mut client = lab.client();
    let refused_at = (0..100).find(|_| client.ask("GET", "/icon.svg", b"").status == 429);
    assert!(refused_at.is_some_and(|number| number >= 10), "{refused_at:?}");
    assert!(lab.lines().iter().any(|line| line.contains(" 429: ")));
}

#[test]
fn every_answer_keeps_pages_safe() {
    let lab = Lab::new();
    for path in ["/", "/nothing", "/api/games/5T"] {
        let answer = lab.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("'unsafe"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    refused(&lab, &lab.post("/index.html", b""), 405);
    refused(&lab, &lab.get("/api/position"), 405);
}

#[test]
fn the_number_of_a_draft_is_a_number_and_nothing_else() {
    let lab = Lab::new();
    let body = game("5T", &json!([])).to_string();
    for name in ["..%2f..%2fevil", "-1", "1.json", "18446744073709551616", "%00", "0x7"] {
        let path = format!("/api/drafts/{name}");
        refused(&lab, &lab.client().ask("PUT", &path, body.as_bytes()), 400);
        refused(&lab, &lab.client().ask("DELETE", &path, b""), 400);
    }
    refused(&lab, &lab.client().ask("PUT", "/api/drafts/../hunts/1", body.as_bytes()), 404);
    refused(&lab, &lab.client().ask("PUT", "/api/drafts/1", b"\xff\xfe"), 422);
    let drawing = json!({"format": "morpion-game/1", "rules": "5T", "start": "cross", "lines": []});
    refused(&lab, &lab.client().ask("PUT", "/api/drafts/1", drawing.to_string().as_bytes()), 422);
    assert_eq!(lab.get("/api/drafts").is(200).json(), json!([]));
    let others = std::fs::read_dir(lab.folder.path()).expect("a folder").flatten();
    let names: Vec<_> = others.map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["archive"], "nothing lies beside the archive");
}

#[test]
fn other_methods_are_refused_everywhere() {
    let lab = Lab::new();
    for (method, path) in [
        ("OPTIONS", "/"),
        ("OPTIONS", "/api/hunts"),
        ("TRACE", "/"),
        ("PATCH", "/api/drafts/1"),
        ("DELETE", "/api/archive"),
        ("PUT", "/js/main.js"),
        ("POST", "/api/events"),
        ("DELETE", "/api/training-runs"),
        ("BREW", "/api/bounds"),
    ] {
        let answer = lab.client().ask(method, path, b"");
        refused(&lab, &answer, 405);
        assert_eq!(answer.header("access-control-allow-origin"), None, "{method} {path}");
    }
}

#[test]
fn whoever_only_asks_for_heads_gets_no_body() {
    let lab = Lab::new();
    let mut client = lab.client();
    client
        .send(format!("HEAD / HTTP/1.1\r\nhost: {}\r\n\r\n", lab.address).as_bytes())
        .expect("read");
    assert_eq!(client.head().0, 200);
    // The next answer follows at once: there was no body in between.
    assert_eq!(client.ask("GET", "/api/hunts", b"").status, 200);
}

#[test]
fn streams_need_the_token_and_their_own_page() {
    let token = Token::random().expect("random");
    let lab = Lab::with(limits(), Some(token));
    refused(&lab, &lab.get("/api/events"), 401);
    refused(&lab, &lab.get("/api/training-runs"), 401);
    let lab = Lab::new();
    let host = lab.address.to_string();
    let foreign = [("host", host.as_str()), ("origin", "https://evil.example")];
    refused(&lab, &lab.client().ask_with("GET", "/api/events", &foreign, b""), 403);
    let framed = [("host", host.as_str()), ("sec-fetch-site", "same-site")];
    refused(&lab, &lab.client().ask_with("GET", "/api/events", &framed, b""), 403);
}

#[test]
fn whoever_opens_streams_and_reads_nothing_holds_up_nobody() {
    let lab = Lab::with(Limits { streams: 3, ..limits() }, None);
    let streams: Vec<_> = (0..3).map(|_| Events::new(lab.address)).collect();
    let wish = json!({"game": game("5D", &json!([])), "method": "random", "seconds": 1});
    let id = lab.post("/api/hunts", wish.to_string()).is(201).json()["id"].clone();
    let full = lab.get("/api/events");
    assert_eq!(full.status, 503, "{}", full.text());
    assert!(lab.lines().iter().any(|line| line.contains("/api/events 503: ")));
    let hunt = || lab.get(&format!("/api/hunts/{id}")).json();
    until_or(|| hunt()["status"] == "done", || hunt().to_string());
    drop(streams);
    until_or(|| stream_status(&lab) == 200, || "no place becomes free".to_owned());
}

/// The status of a new stream, which is closed at once.
fn stream_status(lab: &Lab) -> u16 {
    let mut client = lab.client();
    let head = format!("GET /api/events HTTP/1.1\r\nhost: {}\r\n\r\n", lab.address);
    client.send(head.as_bytes()).expect("the server reads");
    client.head().0
}

#[test]
fn two_lengths_or_a_second_request_inside_a_body_smuggle_nothing() {
    let lab = Lab::new();
    let host = lab.address;
    for head in [
        format!(
            "POST /api/verify HTTP/1.1\r\nhost: {host}\r\ncontent-length: 5\r\ncontent-length: \
             6\r\n\r\nhello"
        ),
        format!("GET / HTTP/1.1\r\nhost: {host}\r\nbad header\r\n\r\n"),
        format!("GET /{} HTTP/1.1\r\nhost: {host}\r\n\r\n", "a".repeat(70_000)),
    ] {
        let mut client = lab.client();
        // It may be closed while it is sent.
        let _ = client.send(head.as_bytes());
        let (status, _) = client.head();
        assert!((400..500).contains(&status), "{status}");
        // It is logged when the connection has ended.
        assert!(client.is_closed());
    }
    let is_malformed = |line: &&String| line.contains(" 400: malformed request: ");
    let malformed = || lab.lines().iter().filter(is_malformed).count();
    until_or(|| malformed() >= 3, || format!("{:?}", lab.lines()));
    assert_eq!(lab.get("/api/hunts").status, 200, "the server goes on");
}

#[test]
fn what_went_wrong_inside_is_told_to_the_log_and_not_to_strangers() {
    let lab = Lab::new();
    let archive = lab.folder.path().join("archive");
    // A file where the folder of drafts should be.
    std::fs::write(archive.join("drafts"), "in the way").expect("written");
    let body = game("5T", &json!([])).to_string();
    let answer = lab.client().ask("PUT", "/api/drafts/1", body.as_bytes());
    assert_eq!(answer.status, 500);
    let path = archive.display().to_string();
    assert!(!answer.text().contains(&path), "{}", answer.text());
    assert!(lab.lines().iter().any(|line| line.contains(&path)), "{:?}", lab.lines());
}
