//! Colours, and the ramp from early to late.

use std::fmt;

/// An opaque colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Colour {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
}

impl Colour {
    /// The colour written `rrggbb` in hexadecimal.
    pub(crate) const fn hex(code: u32) -> Self {
        Self { red: (code >> 16) as u8, green: (code >> 8) as u8, blue: code as u8 }
    }

    /// This colour with the given share, from 0 to 1, of another mixed in.
    pub(crate) fn mix(self, other: Self, share: f64) -> Self {
        let blend = |one: u8, two: u8| {
            (f64::from(one) * (1.0 - share) + f64::from(two) * share).round() as u8
        };
        Self {
            red: blend(self.red, other.red),
            green: blend(self.green, other.green),
            blue: blend(self.blue, other.blue),
        }
    }

    /// How bright the eye finds it, from 0 to 1.
    pub(crate) fn brightness(self) -> f64 {
        let weighted = 0.299 * f64::from(self.red)
            + 0.587 * f64::from(self.green)
            + 0.114 * f64::from(self.blue);
        weighted / 255.0
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// The colour at `share`, from 0 to 1, of the way from violet over green to yellow.
///
/// These are eleven even stops of viridis (van der Walt and Smith, public domain): equal steps look
/// equal, in print without colour and to the colour-blind too.
pub(crate) fn ramp(share: f64) -> Colour {
    const STOPS: [u32; 11] = [
        0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151,
        0xbddf26, 0xfde725,
    ];
    let place = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let below = (place as usize).min(STOPS.len() - 2);
    Colour::hex(STOPS[below]).mix(Colour::hex(STOPS[below + 1]), place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_gets_steadily_brighter() {
        let steps: Vec<f64> = (0..=50).map(|i| ramp(f64::from(i) / 50.0).brightness()).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    }

    #[test]
    fn the_ramp_starts_and_ends_on_its_stops() {
        assert_eq!(ramp(0.0).to_string(), "#440154");
        assert_eq!(ramp(1.0).to_string(), "#fde725");
        assert_eq!(ramp(7.0), ramp(1.0));
    }
}
