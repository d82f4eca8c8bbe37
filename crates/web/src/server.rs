//! The server: accepts connections until it is stopped.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use solver::Solver;
use store::Archive;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};
use tower_service::Service;

use crate::archive_handle::ArchiveHandle;
use crate::guard::{Guard, Peer};
use crate::hunts::Hunts;
use crate::limits::Limits;
use crate::log::Log;
use crate::routes;
use crate::table::BoundTable;
use crate::token::Token;
use crate::trainings::Trainings;
use crate::work::WorkPool;

/// The configuration of a server.
pub struct ServerSettings {
    /// The secret that every request must carry; needed when other machines can reach the server.
    pub token: Option<Token>,
    /// Host names besides its address and `localhost`.
    pub names: Vec<String>,
    /// Limits on requests and resources.
    pub limits: Limits,
    /// The archive for games, if any.
    pub archive: Option<Archive>,
    /// The LP solver, if available.
    pub solver: Option<Solver>,
    /// Folders of training runs to show, or with such folders in them; new ones go into the first
    /// that is no training run itself.
    pub training_runs: Vec<PathBuf>,
    /// Receives one line per refused request.
    pub log: Box<dyn Fn(&str) + Send + Sync>,
}

/// The state shared by all requests.
pub(crate) struct App {
    pub(crate) guard: Guard,
    pub(crate) limits: Limits,
    pub(crate) log: Log,
    /// Short work: replaying, verifying, drawing.
    pub(crate) quick: WorkPool,
    /// Long work: searches, animations, proofs.
    pub(crate) slow: WorkPool,
    /// Proofs from elsewhere.
    pub(crate) proofs: WorkPool,
    pub(crate) hunts: Hunts,
    pub(crate) archive: Arc<ArchiveHandle>,
    pub(crate) solver: Option<Solver>,
    pub(crate) table: BoundTable,
    pub(crate) trainings: Trainings,
    /// Free places for large bodies.
    pub(crate) large_bodies: Semaphore,
    /// Free places for event streams.
    pub(crate) streams: Arc<Semaphore>,
    /// True once the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// A server bound to its address.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    app: Arc<App>,
    stop: Arc<watch::Sender<bool>>,
}

/// Stops a server from another thread.
#[derive(Clone)]
pub struct Stopper(Arc<watch::Sender<bool>>);

impl Stopper {
    /// Asks the server to stop; idempotent.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Binds an address; port 0 means any free port.
    pub fn bind(address: SocketAddr, settings: ServerSettings) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .thread_name("web")
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let ServerSettings { token, names, limits, archive, solver, training_runs, log } = settings;
        let archive = Arc::new(ArchiveHandle::new(archive));
        let (stop, stopping) = watch::channel(false);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let app = App {
            guard: Guard::new(names, token, limits.rate),
            log: Log::new(log),
            quick: WorkPool::new(2 * cores),
            slow: WorkPool::new(cores.max(2)),
            proofs: WorkPool::new(1),
            hunts: Hunts::new(limits.running, limits.remembered, Arc::clone(&archive)),
            archive,
            solver,
            table: BoundTable::default(),
            trainings: Trainings::new(training_runs),
            large_bodies: Semaphore::new(limits.large_bodies),
            streams: Arc::new(Semaphore::new(limits.streams)),
            stopping,
            limits,
        };
        app.hunts.find_saved(&|line| app.log.line(line));
        Ok(Self { runtime, listener, app: Arc::new(app), stop: Arc::new(stop) })
    }

    /// The bound address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// A handle that stops the server.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Serves until stopped; then stops and saves hunts and completes pending responses.
    pub fn run(self) {
        let Self { runtime, listener, app, stop: _stop } = self;
        runtime.block_on(accept(listener, &app));
        app.trainings.stop_all();
        app.hunts.stop_all(&|line| app.log.line(line));
        runtime.shutdown_timeout(app.limits.grace);
    }
}

async fn accept(listener: TcpListener, app: &Arc<App>) {
    let router = routes::router(Arc::clone(app));
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let mut stopping = app.stopping.clone();
    loop {
        let place = Arc::clone(&places).acquire_owned();
        let arrival = async { (place.await, listener.accept().await) };
        let (place, accepted) = tokio::select! {
            arrival = arrival => arrival,
            _ = stopping.wait_for(|stop| *stop) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Most likely out of file descriptors: others will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(app.limits.head_time)
            .max_buf_size(32 << 10)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        let app = Arc::clone(app);
        tokio::spawn(async move {
            let _place = place;
            // Malformed requests have been refused already; broken connections are ignored.
            if let Err(error) = connection.await
                && error.is_parse()
            {
                app.log.line(&format!("{} 400: malformed request: {error}", peer.ip()));
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(app.limits.grace, graceful.shutdown()).await;
}
