//! The server: connections in, answers out, until it is told to stop.

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

use crate::api;
use crate::guard::{Guard, Peer};
use crate::hunts::Hunts;
use crate::limits::Limits;
use crate::log::Log;
use crate::shelf::Shelf;
use crate::table::Table;
use crate::token::Token;
use crate::trainings::Trainings;
use crate::work::Work;

/// What a server is to be like.
pub struct Settings {
    /// The secret that every request must bring; needed when other machines can reach the server.
    pub token: Option<Token>,
    /// Names by which it may be called, besides its address and `localhost`.
    pub names: Vec<String>,
    /// What it bears.
    pub limits: Limits,
    /// Where games are kept, if anywhere.
    pub archive: Option<Archive>,
    /// What solves linear programs, if it is there.
    pub solver: Option<Solver>,
    /// Folders of trainings to show, or with such folders in them.
    pub trainings: Vec<PathBuf>,
    /// Is told of every refused request, in one line.
    pub log: Box<dyn Fn(&str) + Send + Sync>,
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) guard: Guard,
    pub(crate) limits: Limits,
    pub(crate) log: Log,
    /// Short work: replaying, checking, drawing.
    pub(crate) quick: Work,
    /// Long work: searches, films, proofs.
    pub(crate) slow: Work,
    pub(crate) hunts: Hunts,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) solver: Option<Solver>,
    pub(crate) table: Table,
    pub(crate) trainings: Arc<Trainings>,
    /// How many more event streams there may be.
    pub(crate) streams: Arc<Semaphore>,
    /// True from the moment that the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// A server that has its address.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    app: Arc<App>,
    stop: Arc<watch::Sender<bool>>,
}

/// Stops a server from anywhere.
#[derive(Clone)]
pub struct Stopper(Arc<watch::Sender<bool>>);

impl Stopper {
    /// Asks the server to stop. Asking twice is the same as asking once.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Takes an address; with port 0, any free port.
    pub fn bind(address: SocketAddr, settings: Settings) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .thread_name("web")
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let Settings { token, names, limits, archive, solver, trainings, log } = settings;
        let shelf = Arc::new(Shelf::new(archive));
        let (stop, stopping) = watch::channel(false);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let app = App {
            guard: Guard::new(names, token, limits.rate),
            log: Log::new(log),
            quick: Work::new(2 * cores),
            slow: Work::new(cores.max(2)),
            hunts: Hunts::new(limits.running, limits.remembered, Arc::clone(&shelf)),
            shelf,
            solver,
            table: Table::default(),
            trainings: Arc::new(Trainings::new(trainings)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            stopping,
            limits,
        };
        app.hunts.find_saved(&|line| app.log.line(line));
        Ok(Self { runtime, listener, app: Arc::new(app), stop: Arc::new(stop) })
    }

    /// Where it is.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// A handle that stops it.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Answers until it is stopped; then hunts are stopped and kept, and answers that are on their way
    /// arrive.
    pub fn run(self) {
        let Self { runtime, listener, app, stop: _stop } = self;
        runtime.block_on(accept(listener, &app));
        app.hunts.stop_all();
        runtime.shutdown_timeout(app.limits.grace);
    }
}

async fn accept(listener: TcpListener, app: &Arc<App>) {
    let router = api::router(Arc::clone(app));
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
            // Out of descriptors, most likely: others will be closed.
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
            // What is no request has been refused already; a connection that breaks is the client's
            // business.
            if let Err(error) = connection.await
                && error.is_parse()
            {
                app.log.line(&format!("{} 400: no request: {error}", peer.ip()));
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(app.limits.grace, graceful.shutdown()).await;
}
