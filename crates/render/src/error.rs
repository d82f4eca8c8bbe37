//! What can go wrong.

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// More pixels than anyone can look at.
    #[error("a picture of {width} x {height} pixels is over the limit of {limit} pixels")]
    TooLarge {
        /// From left to right.
        width: u64,
        /// From top to bottom.
        height: u64,
        /// The most pixels there may be.
        limit: u64,
    },
    /// A width of 0 or a scale that is not a positive number.
    #[error("a picture needs a positive width or scale")]
    NoSize,
    /// The PNG could not be written.
    #[error("cannot write the PNG")]
    Png(#[from] png::EncodingError),
    /// The GIF could not be written.
    #[error("cannot write the GIF")]
    Gif(#[from] gif::EncodingError),
}
