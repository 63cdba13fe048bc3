//! Which types exist where.

use std::collections::{BTreeMap, BTreeSet};

use super::wheel::Wheel;

/// Sets of Regions, each once.
pub(crate) struct Regions {
    /// Real Regions, sorted.
    pub(crate) names: Vec<String>,
    pub(crate) sets: Vec<Vec<u8>>,
    of_type: BTreeMap<String, u32>,
}

/// Other Regions have a copy of its list while nothing is known of them.
const COPIED: &str = "us-east-1";

impl Regions {
    pub(crate) fn of(wheel: &Wheel) -> Result<Regions, String> {
        let copied = wheel.regions.get(COPIED).ok_or_else(|| format!("the wheel has no {COPIED}"))?;
        let real = wheel.regions.iter().filter(|(name, types)| name.as_str() == COPIED || *types != copied);
        let real: Vec<(&String, BTreeSet<&String>)> =
            real.map(|(name, types)| (name, types.iter().collect())).collect();
        let mut of_type = BTreeMap::new();
        for name in wheel.types.keys() {
            let mut bits = vec![0_u8; real.len().div_ceil(8)];
            for (number, (_, types)) in real.iter().enumerate() {
                if types.contains(name) {
                    bits[number / 8] |= 1 << (number % 8);
                }
            }
            // AWS::Serverless is in no list, and a type that only copies have is not known anywhere.
            if bits.iter().any(|bits| *bits != 0) {
                of_type.insert(name.clone(), bits);
            }
        }
        let sets: BTreeSet<Vec<u8>> = of_type.values().cloned().collect();
        let sets: Vec<Vec<u8>> = sets.into_iter().collect();
        let number = |bits: &Vec<u8>| sets.binary_search(bits).map_or(0, |number| number as u32);
        let of_type = of_type.iter().map(|(name, bits)| (name.clone(), number(bits))).collect();
        Ok(Regions { names: real.into_iter().map(|(name, _)| name.clone()).collect(), sets, of_type })
    }

    pub(crate) fn of_type(&self, name: &str) -> Option<u32> {
        self.of_type.get(name).copied()
    }
}
