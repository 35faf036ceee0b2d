//! TLS: certificate and key from files, read again when they change, and devices that have a certificate.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use webpki::EndEntityCert;

use crate::files::{self, Stamp};

/// Where certificate and key are, as PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate of this server, and those between it and its authority.
    pub cert: PathBuf,
    pub key: PathBuf,
    /// The authority that signs the certificates of devices. Without one, no certificate speaks for anybody.
    pub client_ca: Option<PathBuf>,
}

/// A file that TLS cannot be spoken with.
#[derive(Debug, thiserror::Error)]
#[error("TLS cannot be spoken: {path}: {what}", path = .path.display())]
pub struct TlsError {
    path: PathBuf,
    what: String,
}

/// TLS as it is spoken now.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    spoken: RwLock<Spoken>,
    tell: fn(&str),
    spoken_within: &'static [u8],
}

/// A connection that is encrypted.
pub type Shaken<S> = tokio_rustls::server::TlsStream<S>;

#[derive(Debug, Clone)]
struct Spoken {
    config: Arc<ServerConfig>,
    cert: CertificateDer<'static>,
    /// Of the files when they were looked at last.
    stamps: Vec<Option<Stamp>>,
}

impl TlsFiles {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let own = [self.cert.as_path(), self.key.as_path()];
        own.into_iter().chain(self.client_ca.as_deref())
    }

    fn stamps(&self) -> Vec<Option<Stamp>> {
        let stamp = |path| files::stamp(path).unwrap_or_default();
        self.paths().map(stamp).collect()
    }

    fn load(&self, spoken_within: &'static [u8]) -> Result<Spoken, TlsError> {
        let stamps = self.stamps();
        let chain = certificates(&self.cert)?;
        let key = PrivateKeyDer::from_pem_file(&self.key);
        let key = key.map_err(|error| wrong(&self.key, &pem_error(&error, "private key")))?;
        let provider = Arc::new(ring::default_provider());
        let versions = ServerConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(&self.cert, &error.to_string()))?;
        let verified = match &self.client_ca {
            None => versions.with_no_client_auth(),
            Some(path) => {
                let mut authority = RootCertStore::empty();
                for certificate in certificates(path)? {
                    let added = authority.add(certificate);
                    added.map_err(|error| wrong(path, &error.to_string()))?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(authority), provider);
                let verifier = verifier.allow_unauthenticated().build();
                let verifier = verifier.map_err(|error| wrong(path, &error.to_string()))?;
                versions.with_client_cert_verifier(verifier)
            }
        };
        let cert = chain[0].clone();
        let mut config = verified.with_single_cert(chain, key).map_err(|error| {
            wrong(
                &self.key,
                &format!("it does not go with {}: {error}", self.cert.display()),
            )
        })?;
        config.alpn_protocols = vec![spoken_within.to_vec()];
        Ok(Spoken {
            config: Arc::new(config),
            cert,
            stamps,
        })
    }
}

impl Tls {
    pub(crate) fn load(files: TlsFiles, tell: fn(&str)) -> Result<Tls, TlsError> {
        Tls::load_for(files, b"http/1.1", tell)
    }

    /// TLS for clients of PostgreSQL. A certificate that cannot be read is an error, and no reason to do without.
    pub fn for_sql(files: TlsFiles, tell: fn(&str)) -> Result<Tls, TlsError> {
        Tls::load_for(files, b"postgresql", tell)
    }

    fn load_for(
        files: TlsFiles,
        spoken_within: &'static [u8],
        tell: fn(&str),
    ) -> Result<Tls, TlsError> {
        let spoken = RwLock::new(files.load(spoken_within)?);
        Ok(Tls {
            files,
            spoken,
            tell,
            spoken_within,
        })
    }

    /// Shakes hands with a client.
    pub async fn shake<S>(&self, stream: S) -> io::Result<Shaken<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        self.acceptor().accept(stream).await
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.spoken().config)
    }

    /// Whether the certificate is one for this name.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        let spoken = self.spoken();
        let (Ok(cert), Ok(name)) = (
            EndEntityCert::try_from(&spoken.cert),
            ServerName::try_from(name),
        ) else {
            return false;
        };
        cert.verify_is_valid_for_subject_name(&name).is_ok()
    }

    /// Reads the files again if they have changed. While they cannot be used, what was read before is.
    pub fn look_again(&self) {
        let stamps = self.files.stamps();
        if self.spoken().stamps == stamps {
            return;
        }
        match self.files.load(self.spoken_within) {
            Ok(spoken) => {
                *self.spoken.write().unwrap_or_else(PoisonError::into_inner) = spoken;
                let cert = self.files.cert.display();
                (self.tell)(&format!("{cert} has changed and is used from now on"));
            }
            Err(error) => {
                // It is told once, and tried again when they change once more.
                let mut spoken = self.spoken.write().unwrap_or_else(PoisonError::into_inner);
                spoken.stamps = stamps;
                (self.tell)(&format!("{error}; the certificate of before is used on"));
            }
        }
    }

    fn spoken(&self) -> Spoken {
        // It is replaced as a whole.
        self.spoken
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The name of a device in its certificate: the first that it is known by.
pub(crate) fn device(certificates: Option<&[CertificateDer<'_>]>) -> Option<String> {
    let cert = EndEntityCert::try_from(certificates?.first()?).ok()?;
    let name = cert.valid_dns_names().next();
    let name = name.or_else(|| cert.valid_uri_names().next());
    name.map(str::to_owned)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    let read: Vec<_> = read.map_err(|error| wrong(path, &pem_error(&error, "certificate")))?;
    match read.is_empty() {
        true => Err(wrong(path, "there is no certificate in it (PEM is read)")),
        false => Ok(read),
    }
}

fn pem_error(error: &tokio_rustls::rustls::pki_types::pem::Error, what: &str) -> String {
    use tokio_rustls::rustls::pki_types::pem::Error;
    match error {
        Error::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            "there is no such file".to_owned()
        }
        Error::Io(error) => error.to_string(),
        Error::NoItemsFound => format!("there is no {what} in it (PEM is read)"),
        error => error.to_string(),
    }
}

fn wrong(path: &Path, what: &str) -> TlsError {
    TlsError {
        path: path.to_owned(),
        what: what.to_owned(),
    }
}
