//! Availability zones and time zones.

use super::Wrong;

/// Checks an availability zone, a local zone, a wavelength zone, or the ID of a zone.
pub(super) fn availability_zone(text: &str) -> Option<Wrong> {
    let is_id = text.contains("-az");
    let parts: Vec<&str> = text.split('-').collect();
    let has_letter = text
        .strip_suffix(|c: char| c.is_ascii_lowercase())
        .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
    if is_id || parts.len() >= 3 && has_letter {
        return None;
    }
    Wrong::new("an availability zone", "a Region and a letter, such as eu-west-1a")
}

/// Areas of the time zone database.
const AREAS: [&str; 11] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
    "Etc",
];
/// Zones without an area.
const ALONE: [&str; 12] =
    ["UTC", "GMT", "Zulu", "UCT", "Greenwich", "Universal", "EST", "MST", "HST", "CET", "EET", "WET"];
/// Names of places, which have an area of their own in the database, and of older areas.
const OLDER: [&str; 8] = ["US", "Canada", "Brazil", "Chile", "Mexico", "SystemV", "EST5EDT", "CST6CDT"];
/// Cities of Europe.
const EUROPE: &str = "Amsterdam Andorra Astrakhan Athens Belfast Belgrade Berlin Bratislava Brussels Bucharest Budapest Busingen \
Chisinau Copenhagen Dublin Gibraltar Guernsey Helsinki Isle_of_Man Istanbul Jersey Kaliningrad Kiev Kirov Kyiv Lisbon Ljubljana \
London Luxembourg Madrid Malta Mariehamn Minsk Monaco Moscow Nicosia Oslo Paris Podgorica Prague Riga Rome Samara San_Marino \
Sarajevo Saratov Simferopol Skopje Sofia Stockholm Tallinn Tirane Tiraspol Ulyanovsk Uzhgorod Vaduz Vatican Vienna Vilnius \
Volgograd Warsaw Zagreb Zaporozhye Zurich";

/// Returns `true` for words without `_` between them: `NewYork`.
fn is_joined(place: &str) -> bool {
    let letters: Vec<char> = place.chars().collect();
    let is_known = ["McMurdo", "DumontDUrville", "GB-Eire", "NSW", "ACT", "LHI"].contains(&place);
    !is_known
        && letters
            .windows(2)
            .any(|pair| matches!(pair, [first, second] if first.is_ascii_lowercase() && second.is_ascii_uppercase()))
}

/// Checks a name of the time zone database.
pub(super) fn time_zone(text: &str) -> Option<Wrong> {
    let is_not = "a time zone";
    let Some((area, place)) = text.split_once('/') else {
        // Countries such as `Japan` are zones, too, and abbreviations mostly are not.
        let is_abbreviation = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_name =
            text.starts_with(|c: char| c.is_ascii_uppercase()) && !is_abbreviation && !text.contains(['+', '-']);
        let is_known =
            ALONE.contains(&text) || OLDER.contains(&text) || text == "ROC" || text == "ROK" || text == "PRC";
        return if is_name || is_known {
            None
        } else {
            Wrong::new(is_not, "an area and a place, such as Europe/Berlin")
        };
    };
    let is_area = AREAS.contains(&area) || OLDER.contains(&area);
    let is_place =
        if area == "Europe" { EUROPE.split_whitespace().any(|known| known == place) } else { !is_joined(place) };
    if is_area && is_place { None } else { Wrong::new(is_not, "an area and a place, such as Europe/Berlin") }
}
