//! Numbers in rows: what goes into a layer and comes out of it.
//!
//! A position on a board of side n is a grid of (n + 1) x (n + 1) rows, one for each place, each
//! with a number for each channel. The column after the last and the row below the last stay 0, and
//! so do the guard rows before the first and after the last position. So the eight neighbours of a
//! place are rows at fixed distances, a window of three places side by side is one stretch of
//! memory, and a convolution is three matrix products on overlapping views: nothing is copied.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};

/// How the places of a board are laid out in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Places along each edge of the board.
    pub(crate) side: usize,
}

impl Grid {
    /// From a place to the one below it.
    pub(crate) fn width(self) -> usize {
        self.side + 1
    }

    /// Rows of one position, those that stay 0 included.
    pub(crate) fn rows(self) -> usize {
        self.width() * self.width()
    }

    /// Rows before the first and after the last position.
    pub(crate) fn guard(self) -> usize {
        self.width() + 1
    }

    /// The rows of the places on the board, in order.
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        let (side, width) = (self.side, self.width());
        (0..side).flat_map(move |y| (0..side).map(move |x| y * width + x))
    }
}

/// Some positions, or what a layer has made of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) data: Vec<f32>,
    /// How many positions.
    pub(crate) images: usize,
    /// How many numbers to a row.
    pub(crate) channels: usize,
    /// How places are rows; `None` if every position is a single row.
    pub(crate) grid: Option<Grid>,
}

impl Tensor {
    /// All 0.
    pub(crate) fn zeros(images: usize, channels: usize, grid: Option<Grid>) -> Self {
        let rows = grid.map_or(images, |grid| images * grid.rows() + 2 * grid.guard());
        Self { data: vec![0.0; rows * channels], images, channels, grid }
    }

    /// How many rows of positions there are, and where they begin.
    pub(crate) fn body(&self) -> (usize, usize) {
        let rows = self.images * self.grid.map_or(1, Grid::rows);
        (rows, self.grid.map_or(0, Grid::guard))
    }

    /// Where the numbers of a row of a position begin.
    pub(crate) fn at(&self, image: usize, row: usize) -> usize {
        let (rows, guard) = self.grid.map_or((1, 0), |grid| (grid.rows(), grid.guard()));
        (guard + image * rows + row) * self.channels
    }

    /// The rows of positions as a matrix.
    pub(crate) fn matrix(&self) -> ArrayView2<'_, f32> {
        let (rows, first) = self.body();
        view(&self.data[first * self.channels..], rows, self.channels)
    }

    /// The rows of positions as a matrix to write to.
    pub(crate) fn matrix_mut(&mut self) -> ArrayViewMut2<'_, f32> {
        let (rows, first) = self.body();
        let channels = self.channels;
        let body = &mut self.data[first * channels..][..rows * channels];
        ArrayViewMut2::from_shape((rows, channels), body)
            .expect("as many numbers as places for them")
    }

    /// For each row of positions the numbers of three places side by side, `below` rows further
    /// down the board.
    pub(crate) fn windows(&self, below: isize) -> ArrayView2<'_, f32> {
        let grid = self.grid.expect("windows are of grids");
        let (rows, first) = self.body();
        let from = first as isize + below * grid.width() as isize - 1;
        let shape = (rows, 3 * self.channels).strides((self.channels, 1));
        ArrayView2::from_shape(shape, &self.data[from as usize * self.channels..])
            .expect("the guard rows are there for this")
    }

    /// Puts 0 wherever there is no place, guard rows aside.
    pub(crate) fn clear_beyond(&mut self) {
        let Some(grid) = self.grid else { return };
        let (side, width, channels) = (grid.side, grid.width(), self.channels);
        for image in 0..self.images {
            for y in 0..side {
                let at = self.at(image, y * width + side);
                self.data[at..at + channels].fill(0.0);
            }
            let at = self.at(image, side * width);
            self.data[at..at + width * channels].fill(0.0);
        }
    }
}

/// Numbers as a matrix.
pub(crate) fn view(data: &[f32], rows: usize, columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((rows, columns), &data[..rows * columns])
        .expect("as many numbers as places for them")
}

/// Adds a product to a matrix. One thread, always in the same order.
pub(crate) fn add_product(
    to: &mut ArrayViewMut2<'_, f32>,
    one: &ArrayView2<'_, f32>,
    other: &ArrayView2<'_, f32>,
) {
    general_mat_mul(1.0, one, other, 1.0, to);
}

/// Adds up the columns of a matrix.
pub(crate) fn add_columns(to: &mut [f32], matrix: &ArrayView2<'_, f32>) {
    for row in matrix.rows() {
        for (sum, &number) in to.iter_mut().zip(row) {
            *sum += number;
        }
    }
}
