//! NATS servers that die, authenticate, encrypt, or form a cluster.

use std::collections::BTreeSet;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{Server, address, connect, coordinator, free_port, name, worker};
use crate::until::until;
use queue::laws::{options, tasks};
use queue::{Address, Credentials, Outcome, QueueError, QueueOptions, ReplyError, RetryPolicy};

/// Workers do all tasks while `disturb` is called again and again between replies. When none comes,
/// what a killed server delivers to nobody is recovered, as by every coordinator.
fn drain(address: &Address, options: &QueueOptions, count: usize, mut disturb: impl FnMut(usize)) {
    let coordinator = coordinator(address, options);
    coordinator.enqueue(&tasks(count)).expect("a queue");
    let over = AtomicBool::new(false);
    let mut done = BTreeSet::new();
    std::thread::scope(|scope| {
        for number in 0..2 {
            let over = &over;
            scope.spawn(move || {
                let worker = worker(address, &format!("w{number}"));
                while !over.load(Ordering::Relaxed) {
                    for claim in worker.claim(3, Duration::from_millis(200)).expect("a queue") {
                        let outcome = Outcome::Done(claim.task.body.clone());
                        worker.submit(vec![(claim, outcome)]).expect("a queue");
                    }
                }
            });
        }
        let mut steps = 0;
        until(|| {
            let replies = coordinator.replies(10, Duration::from_millis(200)).expect("a queue");
            if replies.is_empty() {
                coordinator.recover().expect("a queue");
            }
            for reply in replies {
                assert!(matches!(reply.outcome, Ok(Outcome::Done(_))));
                done.insert(reply.task);
                coordinator.acknowledge(vec![reply.receipt]).expect("a queue");
            }
            disturb(steps);
            steps += 1;
            done.len() == count
        });
        over.store(true, Ordering::Relaxed);
    });
    until(|| {
        coordinator.recover().expect("a queue");
        // What was done twice.
        for reply in coordinator.replies(10, Duration::ZERO).expect("a queue") {
            coordinator.acknowledge(vec![reply.receipt]).expect("a queue");
        }
        coordinator.depth().expect("a queue").total() == 0 || {
            let worker = worker(address, "last");
            for claim in worker.claim(10, Duration::ZERO).expect("a queue") {
                worker.submit(vec![(claim, Outcome::Done(vec![]))]).expect("a queue");
            }
            false
        }
    });
}

#[test]
fn a_server_that_dies_and_comes_back_has_lost_nothing() {
    let mut server = Server::start();
    let address = address(&server);
    drain(&address, &options(Duration::from_secs(2)), 60, |step| {
        if [1, 3].contains(&step) {
            server.kill();
            server.restart();
        }
    });
}

/// As after a kill at the wrong moment: the server remembers that messages were acknowledged, and
/// not that they were removed.
#[test]
fn what_a_killed_server_delivers_to_nobody_is_recovered() {
    let mut server = Server::start();
    let (address, options) = (address(&server), options(Duration::from_secs(60)));
    let coordinator = coordinator(&address, &options);
    coordinator.enqueue(&tasks(3)).expect("a queue");
    assert!(!coordinator.recover().expect("a queue"), "nothing is lost yet");
    let messages = |stream: &str| {
        server.file("store/jetstream/$G/streams").join(format!("morpion-plan-{stream}/msgs"))
    };
    let (folder, copy) = (messages("tasks"), server.file("copy"));
    server.stop();
    copy_files(&folder, &copy);
    server.restart();
    let first = worker(&address, "w");
    until(|| {
        for claim in first.claim(3, Duration::from_millis(200)).expect("a queue") {
            first.submit(vec![(claim, Outcome::Done(vec![]))]).expect("a queue");
        }
        for reply in coordinator.replies(3, Duration::from_millis(200)).expect("a queue") {
            coordinator.acknowledge(vec![reply.receipt]).expect("a queue");
        }
        coordinator.depth().expect("a queue").total() == 0
    });
    server.stop();
    std::fs::remove_dir_all(&folder).expect("a folder");
    copy_files(&copy, &folder);
    server.restart();
    until(|| coordinator.depth().expect("a queue").total() == 3);
    assert!(first.claim(3, Duration::from_millis(500)).expect("a queue").is_empty(), "orphans");
    assert_eq!(coordinator.enqueue(&tasks(3)).expect("a queue"), 0, "they are queued already");
    assert!(coordinator.recover().expect("a queue"));
    let mut found = BTreeSet::new();
    until(|| {
        let claims = first.claim(3, Duration::from_millis(200)).expect("a queue");
        found.extend(claims.iter().map(|claim| claim.task.id.to_string()));
        found.len() == 3
    });
    assert!(!coordinator.recover().expect("a queue"), "claims are not orphans");
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
    }
}

#[test]
fn a_cluster_of_three_survives_the_loss_of_one() {
    let routes = [0; 3].map(|_| free_port());
    let others = routes.map(|port| format!("nats-route://127.0.0.1:{port}")).join(", ");
    let start = |number: usize| {
        Server::with(
            &format!(
                "server_name: n{number}\n\
                 cluster {{ name: three, listen: \"127.0.0.1:{}\", routes: [{others}] }}",
                routes[number]
            ),
            &[],
        )
    };
    let mut servers = [start(0), start(1), start(2)];
    let urls = servers.each_ref().map(Server::url).join(",");
    let address: Address = urls.parse().expect("an address");
    let options = QueueOptions { replicas: 3, ..options(Duration::from_secs(2)) };
    // A cluster takes some seconds to elect a leader.
    drain(&address, &options, 40, |step| {
        if step == 1 {
            servers[0].kill();
        }
    });
}

#[test]
fn an_unreadable_reply_names_its_worker() {
    let server = Server::start();
    let coordinator = coordinator(&address(&server), &options(Duration::from_secs(20)));
    // The plain protocol, without our client.
    let publish = |subject: &str, headers: &[(&str, &str)], body: &str| {
        use std::io::{BufRead, BufReader, Write};
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
        let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
        lines.next().expect("INFO").expect("text");
        let mut head = String::from("NATS/1.0\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        let (start, whole) = (head.len(), head.len() + body.len());
        write!(
            stream,
            "CONNECT {{\"verbose\":false,\"headers\":true}}\r\n\
             HPUB {subject} {start} {whole}\r\n{head}{body}\r\nPING\r\n"
        )
        .expect("a stream");
        assert_eq!(lines.next().expect("PONG").expect("text"), "PONG");
    };
    let subject = "morpion.plan.answer.mallory";
    publish(subject, &[], "nothing said");
    publish(subject, &[("Morpion-Task", "t0"), ("Morpion-Outcome", "won")], "");
    let done = [("Morpion-Task", "t0"), ("Morpion-Outcome", "done")];
    let with_parts = |parts: &'static str| [&done[..], &[("Morpion-Parts", parts)]].concat();
    publish(subject, &with_parts("up 2 20"), "");
    publish(subject, &with_parts("up 200 100000000"), "");
    let mut refused = Vec::new();
    until(|| {
        for reply in coordinator.replies(10, Duration::from_millis(100)).expect("a queue") {
            assert_eq!(reply.worker, "mallory");
            refused.push(reply.outcome.expect_err("unreadable"));
        }
        refused.len() == 4
    });
    let expected = [
        ReplyError::Malformed("Morpion-Outcome"),
        ReplyError::Malformed("Morpion-Outcome"),
        ReplyError::Truncated,
        ReplyError::TooLarge { size: 100_000_000, limit: 8 << 20 },
    ];
    assert_eq!(refused, expected);
}

/// A private credentials file.
fn credentials(folder: &Path, text: &str) -> Credentials {
    let path = folder.join("credentials.toml");
    std::fs::write(&path, text).expect("a file");
    let mode = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&path, mode).expect("ours");
    Credentials::read(&path).expect("credentials")
}

#[track_caller]
fn refuses(address: &Address, credentials: Option<&Credentials>) {
    match connect(address, credentials) {
        Err(QueueError::Connect { .. }) => {}
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it accepts everybody"),
    }
}

#[test]
fn a_server_accepts_the_right_password_or_token_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |text: &str| credentials(folder.path(), text);
    let server = Server::with("authorization { user: me, password: secret }", &[]);
    refuses(&address(&server), None);
    refuses(&address(&server), Some(&read("user = \"me\"\npassword = \"guess\"")));
    let good = read("user = \"me\"\npassword = \"secret\"");
    assert!(connect(&address(&server), Some(&good)).is_ok());

    let server = Server::with("authorization { token: secret }", &[]);
    refuses(&address(&server), Some(&read("token = \"guess\"")));
    assert!(connect(&address(&server), Some(&read("token = \"secret\""))).is_ok());
}

/// A certificate authority, a server's certificate and a client's, made by OpenSSL.
fn certificates(folder: &Path) {
    let openssl = |args: &str| {
        let ran = Command::new("openssl")
            .args(args.split(' '))
            .current_dir(folder)
            .output()
            .expect("openssl, which scripts/nats installs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("req -x509 {key} -days 30 -subj /CN=authority -keyout ca.key -out ca.pem"));
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1").expect("a file");
    for who in ["server", "client"] {
        openssl(&format!("req {key} -subj /CN={who} -keyout {who}.key -out {who}.csr"));
        openssl(&format!(
            "x509 -req -in {who}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
             -extfile names -out {who}.pem"
        ));
    }
}

#[test]
fn a_tls_connection_trusts_only_the_given_authority() {
    let folder = tempfile::tempdir().expect("a folder");
    certificates(folder.path());
    let file = |name: &str| -> PathBuf { folder.path().join(name) };
    let tls = format!(
        "tls {{ cert_file: {:?}, key_file: {:?}, ca_file: {:?}, verify: true }}",
        file("server.pem"),
        file("server.key"),
        file("ca.pem")
    );
    let server = Server::with(&tls, &[]);
    let address: Address = format!("tls://127.0.0.1:{}", server.port).parse().expect("an address");
    refuses(&address, None);
    refuses(&address, Some(&credentials(folder.path(), "ca = \"ca.pem\"")));
    let text = "ca = \"ca.pem\"\ncertificate = \"client.pem\"\nkey = \"client.key\"";
    let good = credentials(folder.path(), text);
    assert!(connect(&address, Some(&good)).is_ok());

    // Another authority.
    let stranger = tempfile::tempdir().expect("a folder");
    certificates(stranger.path());
    refuses(&address, Some(&credentials(stranger.path(), text)));
}

#[test]
fn a_server_without_jetstream_is_not_reported_as_no_server() {
    let port = free_port();
    let mut child = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string()])
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("nats-server, which scripts/nats installs");
    until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
    let address: Address = format!("nats://127.0.0.1:{port}").parse().expect("an address");
    let short = RetryPolicy::new(Duration::from_millis(500));
    let tried = queue::connect_worker(&address, None, &name("w"), &short).map(|_| ());
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    assert!(matches!(tried, Err(QueueError::NoJetStream { .. })), "{tried:?}");
    let tried = queue::connect_worker(&address, None, &name("w"), &short).map(|_| ());
    assert!(matches!(tried, Err(QueueError::Connect { .. })), "{tried:?}");
}

#[test]
fn a_task_too_large_for_a_message_is_refused_by_name() {
    let server = Server::start();
    let coordinator = coordinator(&address(&server), &options(Duration::from_secs(20)));
    let mut tasks = tasks(2);
    tasks[1].body = vec![0; 2 << 20];
    let refused = coordinator.enqueue(&tasks);
    assert!(matches!(refused, Err(QueueError::TaskTooLarge { ref id, .. }) if id.as_str() == "t1"));
    assert_eq!(coordinator.depth().expect("a queue").waiting, 0, "all or none");
}
