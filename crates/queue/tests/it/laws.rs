//! The promises of every queue, on NATS and in a folder.

mod nats {
    use std::time::{Duration, Instant};

    use queue::laws::QueueEngine;
    use queue::{Address, Coordinator, Name, QueueOptions, RetryPolicy, Worker};

    use crate::common::{Server, address};
    use crate::until::{LONG, until};

    struct NatsEngine {
        _server: Server,
        address: Address,
    }

    impl NatsEngine {
        fn new() -> Self {
            let server = Server::start();
            Self { address: address(&server), _server: server }
        }
    }

    impl QueueEngine for NatsEngine {
        fn coordinator(&self, plan: &Name, options: &QueueOptions) -> Box<dyn Coordinator> {
            let retry = RetryPolicy::new(LONG);
            queue::connect_coordinator(&self.address, None, plan, options, &retry).expect("a queue")
        }

        fn worker(&self, name: &Name) -> Box<dyn Worker> {
            queue::connect_worker(&self.address, None, name, &RetryPolicy::new(LONG))
                .expect("a queue")
        }

        fn pass(&self, time: Duration) {
            let start = Instant::now();
            until(|| start.elapsed() >= time);
        }

        /// The server's clock cannot be advanced.
        fn short_lease(&self) -> Duration {
            Duration::from_millis(700)
        }
    }

    queue::law_tests!(NatsEngine::new());
}

mod spool {
    queue::law_tests!(queue::laws::SpoolEngine::new());
}
