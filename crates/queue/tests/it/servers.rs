//! NATS servers that die, ask who is there, encrypt, or are three.

use std::collections::BTreeSet;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queue::{Address, Credentials, Outcome, QueueError, Terms, Unreadable};

use crate::common::{
    Server, address, coordinator, enter, free_port, name, tasks, terms, until, worker,
};

/// Workers do all tasks while `trouble` is made again and again between answers.
fn drain(address: &Address, terms: &Terms, count: usize, mut trouble: impl FnMut(usize)) {
    let coordinator = coordinator(address, terms);
    coordinator.put(&tasks(count)).expect("a queue");
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
                        worker.hand_in(vec![(claim, outcome)]).expect("a queue");
                    }
                }
            });
        }
        let mut steps = 0;
        until(|| {
            let answers = coordinator.answers(10, Duration::from_millis(200)).expect("a queue");
            for answer in answers {
                assert!(matches!(answer.outcome, Ok(Outcome::Done(_))));
                done.insert(answer.task);
                coordinator.settle(vec![answer.receipt]).expect("a queue");
            }
            trouble(steps);
            steps += 1;
            done.len() == count
        });
        over.store(true, Ordering::Relaxed);
    });
    until(|| {
        // What was answered twice.
        for answer in coordinator.answers(10, Duration::ZERO).expect("a queue") {
            coordinator.settle(vec![answer.receipt]).expect("a queue");
        }
        let counts = coordinator.counts().expect("a queue");
        counts.waiting + counts.claimed + counts.answers == 0 || {
            let worker = worker(address, "last");
            for claim in worker.claim(10, Duration::ZERO).expect("a queue") {
                worker.hand_in(vec![(claim, Outcome::Done(vec![]))]).expect("a queue");
            }
            false
        }
    });
}

#[test]
fn a_server_that_dies_and_comes_back_has_lost_nothing() {
    let mut server = Server::start();
    let address = address(&server);
    drain(&address, &terms(Duration::from_secs(2)), 60, |step| {
        if [1, 3].contains(&step) {
            server.kill();
            server.restart();
        }
    });
}

#[test]
fn a_cluster_of_three_goes_on_with_two() {
    let routes = [0; 3].map(|_| free_port());
    let others = routes.map(|port| format!("nats-route://127.0.0.1:{port}")).join(", ");
    let start = |number: usize| {
        Server::with(
            &format!(
                "server_name: n{number}\ncluster {{ name: three, listen: \"127.0.0.1:{}\", routes: [{others}] }}",
                routes[number]
            ),
            &[],
        )
    };
    let mut servers = [start(0), start(1), start(2)];
    let urls = servers.each_ref().map(Server::url).join(",");
    let address: Address = urls.parse().expect("an address");
    let terms = Terms { replicas: 3, ..terms(Duration::from_secs(2)) };
    // A cluster takes some seconds to agree on a leader.
    drain(&address, &terms, 40, |step| {
        if step == 1 {
            servers[0].kill();
        }
    });
}

#[test]
fn what_cannot_be_read_is_told_with_the_name_of_the_worker() {
    let server = Server::start();
    let coordinator = coordinator(&address(&server), &terms(Duration::from_secs(20)));
    // As plain as the protocol itself: nothing of ours between.
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
            "CONNECT {{\"verbose\":false,\"headers\":true}}\r\nHPUB {subject} {start} {whole}\r\n{head}{body}\r\nPING\r\n"
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
        for answer in coordinator.answers(10, Duration::from_millis(100)).expect("a queue") {
            assert_eq!(answer.worker, "mallory");
            refused.push(answer.outcome.expect_err("nothing to read"));
        }
        refused.len() == 4
    });
    let expected = [
        Unreadable::Malformed("Morpion-Outcome"),
        Unreadable::Malformed("Morpion-Outcome"),
        Unreadable::Truncated,
        Unreadable::TooLarge { size: 100_000_000, limit: 8 << 20 },
    ];
    assert_eq!(refused, expected);
}

/// A private file of credentials.
fn credentials(folder: &Path, text: &str) -> Credentials {
    let path = folder.join("credentials.toml");
    std::fs::write(&path, text).expect("a file");
    let mode = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&path, mode).expect("ours");
    Credentials::read(&path).expect("credentials")
}

#[track_caller]
fn refuses(address: &Address, credentials: Option<&Credentials>) {
    match enter(address, credentials) {
        Err(QueueError::Connect { .. }) => {}
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it lets everybody in"),
    }
}

#[test]
fn a_server_lets_in_who_knows_the_password_or_the_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |text: &str| credentials(folder.path(), text);
    let server = Server::with("authorization { user: me, password: secret }", &[]);
    refuses(&address(&server), None);
    refuses(&address(&server), Some(&read("user = \"me\"\npassword = \"guess\"")));
    let good = read("user = \"me\"\npassword = \"secret\"");
    assert!(enter(&address(&server), Some(&good)).is_ok());

    let server = Server::with("authorization { token: secret }", &[]);
    refuses(&address(&server), Some(&read("token = \"guess\"")));
    assert!(enter(&address(&server), Some(&read("token = \"secret\""))).is_ok());
}

/// A certificate authority, a server's certificate and a client's, made by OpenSSL.
fn certificates(folder: &Path) {
    let openssl = |args: &str| {
        let ran = Command::new("openssl")
            .args(args.split(' '))
            .current_dir(folder)
            .output()
            .expect("openssl is installed: scripts/nats does it");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("req -x509 {key} -days 30 -subj /CN=authority -keyout ca.key -out ca.pem"));
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1").expect("a file");
    for who in ["server", "client"] {
        openssl(&format!("req {key} -subj /CN={who} -keyout {who}.key -out {who}.csr"));
        openssl(&format!(
            "x509 -req -in {who}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile names -out {who}.pem"
        ));
    }
}

#[test]
fn an_encrypted_connection_trusts_only_whom_it_is_told_to() {
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
    assert!(enter(&address, Some(&good)).is_ok());

    // Another authority.
    let stranger = tempfile::tempdir().expect("a folder");
    certificates(stranger.path());
    refuses(&address, Some(&credentials(stranger.path(), text)));
}

#[test]
fn a_server_without_jetstream_and_no_server_at_all_are_told_apart() {
    let port = free_port();
    let mut child = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string()])
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("nats-server is installed: scripts/nats does it");
    until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
    let address: Address = format!("nats://127.0.0.1:{port}").parse().expect("an address");
    let short = queue::Patience::of(Duration::from_millis(500));
    let tried = queue::work(&address, None, &name("w"), &short).map(|_| ());
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    assert!(matches!(tried, Err(QueueError::NoJetStream { .. })), "{tried:?}");
    let tried = queue::work(&address, None, &name("w"), &short).map(|_| ());
    assert!(matches!(tried, Err(QueueError::Connect { .. })), "{tried:?}");
}

#[test]
fn a_task_that_fits_in_no_message_is_refused_by_its_name() {
    let server = Server::start();
    let coordinator = coordinator(&address(&server), &terms(Duration::from_secs(20)));
    let mut tasks = tasks(2);
    tasks[1].body = vec![0; 2 << 20];
    let refused = coordinator.put(&tasks);
    assert!(matches!(refused, Err(QueueError::TaskTooLarge { ref id, .. }) if id.as_str() == "t1"));
    assert_eq!(coordinator.counts().expect("a queue").waiting, 0, "all or none");
}
