//! Signed tokens (RFC 7515, RFC 7519) as OpenID Connect has them, and no others: three parts, one signature, by a key
//! that the provider shows. What is not signed, or with a secret that two share, is refused.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Refused;

/// More signs than any token has.
pub(super) const MOST_BYTES: usize = 12 * 1024;
/// By so much the clock of a provider may differ from ours.
const LEEWAY_S: i64 = 60;

/// What a token says of itself.
#[derive(Debug, Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// What a reader has to understand: nothing of that is understood here.
    crit: Option<Value>,
}

/// A public key as a provider shows it (RFC 7517).
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    used_for: Option<String>,
    alg: Option<String>,
    n: Option<String>,
    e: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// A token that was read; nothing is known yet of who has signed it.
#[derive(Debug)]
pub(super) struct Token<'a> {
    header: Header,
    signed: &'a str,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

/// Whom a token has to come from and be for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) audience: &'a str,
    /// Seconds since 1970.
    pub(super) now: i64,
}

impl<'a> Token<'a> {
    pub(super) fn read(text: &'a str) -> Result<Token<'a>, Refused> {
        let unreadable = || refused("the token is no signed token");
        if text.len() > MOST_BYTES {
            return Err(refused("the token is too long"));
        }
        let (signed, signature) = text.rsplit_once('.').ok_or_else(unreadable)?;
        let (header, claims) = signed.split_once('.').ok_or_else(unreadable)?;
        let header: Header = part(header).ok_or_else(unreadable)?;
        if header.crit.is_some() {
            return Err(refused(
                "the token asks for what is not understood here (crit)",
            ));
        }
        Ok(Token {
            header,
            signed,
            signature: bytes(signature).ok_or_else(unreadable)?,
            claims: part(claims).ok_or_else(unreadable)?,
        })
    }

    /// Whether one of these keys may be the one that it was signed with.
    pub(super) fn has_key_among(&self, keys: &[Key]) -> bool {
        keys.iter().any(|key| self.may_be_of(key))
    }

    /// What it claims, if one of these keys has signed it, and it is from whom and for whom it should be, and now.
    pub(super) fn claims(
        self,
        keys: &[Key],
        expected: Expected<'_>,
    ) -> Result<Map<String, Value>, Refused> {
        let alg = &self.header.alg;
        if !ALGORITHMS.contains(&alg.as_str()) {
            let accepted = ALGORITHMS.join(", ");
            return Err(refused(format!(
                "the token is signed with {alg:?}: {accepted} are accepted"
            )));
        }
        let mut may_be = keys.iter().filter(|key| self.may_be_of(key));
        let message = self.signed.as_bytes();
        if !may_be.any(|key| key.has_signed(alg, message, &self.signature)) {
            return Err(refused("no key of the provider has signed the token"));
        }
        check(&self.claims, expected)?;
        Ok(self.claims)
    }

    fn may_be_of(&self, key: &Key) -> bool {
        let alg = &self.header.alg;
        let is_named = match (&self.header.kid, &key.kid) {
            (Some(named), Some(own)) => named == own,
            (Some(_), None) => false,
            (None, _) => true,
        };
        let signs = key.used_for.as_deref().is_none_or(|used| used == "sig");
        is_named && signs && key.alg.as_ref().is_none_or(|own| own == alg)
    }
}

/// How a token may be signed: by a key of which only the provider has the secret half.
const ALGORITHMS: [&str; 9] = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA",
];

impl Key {
    fn has_signed(&self, alg: &str, message: &[u8], signature: &[u8]) -> bool {
        let rsa = |parameters: &'static RsaParameters| {
            let (Some(n), Some(e)) = (number(&self.n), number(&self.e)) else {
                return false;
            };
            let key = RsaPublicKeyComponents { n, e };
            key.verify(parameters, message, signature).is_ok()
        };
        let curve = |algorithm: &'static signature::EcdsaVerificationAlgorithm, bytes: usize| {
            let (Some(x), Some(y)) = (number(&self.x), number(&self.y)) else {
                return false;
            };
            let is_point = x.len() == bytes && y.len() == bytes;
            let point = [&[4], x.as_slice(), y.as_slice()].concat();
            let key = UnparsedPublicKey::new(algorithm, point);
            is_point && key.verify(message, signature).is_ok()
        };
        match (self.kty.as_str(), self.crv.as_deref(), alg) {
            ("RSA", _, "RS256") => rsa(&signature::RSA_PKCS1_2048_8192_SHA256),
            ("RSA", _, "RS384") => rsa(&signature::RSA_PKCS1_2048_8192_SHA384),
            ("RSA", _, "RS512") => rsa(&signature::RSA_PKCS1_2048_8192_SHA512),
            ("RSA", _, "PS256") => rsa(&signature::RSA_PSS_2048_8192_SHA256),
            ("RSA", _, "PS384") => rsa(&signature::RSA_PSS_2048_8192_SHA384),
            ("RSA", _, "PS512") => rsa(&signature::RSA_PSS_2048_8192_SHA512),
            ("EC", Some("P-256"), "ES256") => curve(&signature::ECDSA_P256_SHA256_FIXED, 32),
            ("EC", Some("P-384"), "ES384") => curve(&signature::ECDSA_P384_SHA384_FIXED, 48),
            ("OKP", Some("Ed25519"), "EdDSA") => number(&self.x).is_some_and(|key| {
                let key = UnparsedPublicKey::new(&signature::ED25519, key);
                key.verify(message, signature).is_ok()
            }),
            _ => false,
        }
    }
}

/// From whom, for whom, and until when: OpenID Connect Core 1.0, section 3.1.3.7.
fn check(claims: &Map<String, Value>, expected: Expected<'_>) -> Result<(), Refused> {
    let issuer = claims
        .get("iss")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if issuer != expected.issuer {
        return Err(refused(format!(
            "the token is from {issuer:?}, and {:?} is the issuer here",
            expected.issuer
        )));
    }
    if !audiences(claims).contains(&expected.audience) {
        return Err(refused(format!(
            "the token is for {:?}, and not for {:?}",
            audiences(claims),
            expected.audience
        )));
    }
    let expires = seconds(claims, "exp").ok_or_else(|| refused("the token has no end (exp)"))?;
    if expires.saturating_add(LEEWAY_S) <= expected.now {
        return Err(refused("the token has expired"));
    }
    let begins = ["iat", "nbf"].map(|name| seconds(claims, name).unwrap_or(i64::MIN));
    if begins
        .into_iter()
        .any(|begins| begins > expected.now.saturating_add(LEEWAY_S))
    {
        return Err(refused(
            "the token is of the future: one of the two clocks is wrong",
        ));
    }
    Ok(())
}

/// For whom a token is.
pub(super) fn audiences(claims: &Map<String, Value>) -> Vec<&str> {
    match claims.get("aud") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A moment in seconds since 1970, whole or with a fraction.
pub(super) fn seconds(claims: &Map<String, Value>, name: &str) -> Option<i64> {
    let value = claims.get(name)?;
    #[expect(clippy::cast_possible_truncation, reason = "it is saturated")]
    value
        .as_i64()
        .or_else(|| value.as_f64().map(|seconds| seconds as i64))
}

fn part<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_slice(&bytes(text)?).ok()
}

fn number(text: &Option<String>) -> Option<Vec<u8>> {
    bytes(text.as_deref()?)
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

fn refused(why: impl Into<String>) -> Refused {
    Refused(why.into())
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::{EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair};
    use serde_json::json;

    use super::*;

    const EXPECTED: Expected<'_> = Expected {
        issuer: "https://login.example",
        audience: "catwalk",
        now: 1_000_000,
    };

    fn claims() -> Value {
        json!({"iss": EXPECTED.issuer, "aud": ["catwalk"], "sub": "anna", "iat": 999_990, "exp": 1_000_300})
    }

    fn written(header: &Value, claims: &Value, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(header), part(claims));
        let signature = URL_SAFE_NO_PAD.encode(sign(signed.as_bytes()));
        format!("{signed}.{signature}")
    }

    fn key(shown: Value) -> Key {
        serde_json::from_value(shown).unwrap()
    }

    /// A key on a curve as it is shown, and what signs with it.
    fn on_curve(
        algorithm: &'static EcdsaSigningAlgorithm,
        (alg, crv): (&str, &str),
    ) -> (Key, impl Fn(&[u8]) -> Vec<u8>) {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, pair.as_ref(), &random).unwrap();
        let point = &pair.public_key().as_ref()[1..];
        let (x, y) = point.split_at(point.len() / 2);
        let coordinate = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
        let shown = json!({"kty": "EC", "crv": crv, "alg": alg, "kid": "a", "use": "sig",
            "x": coordinate(x), "y": coordinate(y)});
        let sign = move |message: &[u8]| {
            let signature = pair.sign(&SystemRandom::new(), message).unwrap();
            signature.as_ref().to_vec()
        };
        (key(shown), sign)
    }

    fn judged(token: &str, keys: &[Key]) -> Result<Map<String, Value>, String> {
        let read = Token::read(token).map_err(|refused| refused.0)?;
        read.claims(keys, EXPECTED).map_err(|refused| refused.0)
    }

    #[test]
    fn each_curve_signs_and_no_other_key_has() {
        let (small, sign_small) = on_curve(
            &signature::ECDSA_P256_SHA256_FIXED_SIGNING,
            ("ES256", "P-256"),
        );
        let (large, sign_large) = on_curve(
            &signature::ECDSA_P384_SHA384_FIXED_SIGNING,
            ("ES384", "P-384"),
        );
        let pair = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(pair.as_ref()).unwrap();
        let x = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        let edwards = key(json!({"kty": "OKP", "crv": "Ed25519", "x": x}));
        let header = |alg: &str| json!({"alg": alg});
        let small_token = written(&header("ES256"), &claims(), sign_small);
        let large_token = written(&header("ES384"), &claims(), sign_large);
        let edwards_token = written(&header("EdDSA"), &claims(), |message| {
            pair.sign(message).as_ref().to_vec()
        });
        let all = [small, large, edwards];
        for (own, token) in [small_token, large_token, edwards_token].iter().enumerate() {
            assert_eq!(judged(token, &all).unwrap()["sub"], "anna");
            for (other, one) in all.iter().enumerate() {
                let is_its = judged(token, std::slice::from_ref(one)).is_ok();
                assert_eq!(is_its, own == other, "{token}");
            }
            assert!(judged(&token.replace("ey", "eY"), &all).is_err());
        }
    }

    #[test]
    fn a_key_counts_for_what_it_is_shown_for() {
        let algorithm = &signature::ECDSA_P256_SHA256_FIXED_SIGNING;
        let (good, sign) = on_curve(algorithm, ("ES256", "P-256"));
        let named = json!({"alg": "ES256", "kid": "a"});
        let token = written(&named, &claims(), &sign);
        assert!(judged(&token, std::slice::from_ref(&good)).is_ok());
        let changed = [
            Key {
                used_for: Some("enc".to_owned()),
                ..good.clone()
            },
            Key {
                alg: Some("ES384".to_owned()),
                ..good.clone()
            },
            Key {
                kid: Some("b".to_owned()),
                ..good.clone()
            },
            Key {
                kid: None,
                ..good.clone()
            },
            Key {
                crv: Some("P-384".to_owned()),
                ..good.clone()
            },
            Key {
                y: None,
                ..good.clone()
            },
        ];
        for key in changed {
            let told = judged(&token, std::slice::from_ref(&key)).unwrap_err();
            assert_eq!(
                told, "no key of the provider has signed the token",
                "{key:?}"
            );
        }
        for header in [
            json!({"alg": "RS256"}),
            json!({"alg": "none"}),
            json!({"alg": "HS256"}),
        ] {
            let token = written(&header, &claims(), &sign);
            assert!(
                judged(&token, std::slice::from_ref(&good)).is_err(),
                "{header}"
            );
        }
        for text in ["", ".", "..", "a.b", "a.b.c", "e30.e30.", "=.=.="] {
            assert!(
                judged(text, std::slice::from_ref(&good)).is_err(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_minute_is_allowed_between_two_clocks_and_no_more() {
        let algorithm = &signature::ECDSA_P256_SHA256_FIXED_SIGNING;
        let (key, sign) = on_curve(algorithm, ("ES256", "P-256"));
        let judge = |name: &str, value: Value| {
            let mut claims = claims();
            claims[name] = value;
            let token = written(&json!({"alg": "ES256"}), &claims, &sign);
            judged(&token, std::slice::from_ref(&key)).is_ok()
        };
        assert!(judge("exp", json!(EXPECTED.now - 59)) && !judge("exp", json!(EXPECTED.now - 60)));
        assert!(judge("iat", json!(EXPECTED.now + 60)) && !judge("iat", json!(EXPECTED.now + 61)));
        assert!(judge("nbf", json!(EXPECTED.now + 60)) && !judge("nbf", json!(EXPECTED.now + 61)));
        assert!(judge("exp", json!(1_000_300.5)) && !judge("exp", json!("1000300")));
        assert!(judge("exp", json!(1e300)), "for ever is late");
        assert!(judge("aud", json!("catwalk")) && !judge("aud", json!("catwalk2")));
        assert!(!judge("aud", json!([])) && !judge("aud", Value::Null));
        assert!(!judge("iss", json!("https://login.example/")));
    }
}
