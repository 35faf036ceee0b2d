//! A bundle: one zip file whose parts are named in a signed list.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Seek, Write};
use std::path::Path;

use anyhow::Context;
use catwalk_proof::{Note, SigningKey, VerifyingKey};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The signed list of all other files: lines as `sha256sum -c` reads them.
pub(super) const SUMS: &str = "SHA256SUMS";
/// The same with the signature of the house below.
pub(super) const SIGNED: &str = "SHA256SUMS.note";
/// Under this name, behind that of the house, its key signs bundles.
const PURPOSE: &str = "bundle";
/// A bundle of one round is far smaller than this.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: usize = 20_000;
/// How a zip file with anything in it begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// The files of a bundle by name.
#[derive(Debug, Default)]
pub(super) struct Bundle {
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Bundle {
    pub(super) fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(name.into(), bytes.into());
    }

    pub(super) fn text(&self, name: &str) -> anyhow::Result<&str> {
        let bytes = self.files.get(name);
        let bytes = bytes.with_context(|| format!("the bundle has no {name}"))?;
        std::str::from_utf8(bytes).with_context(|| format!("{name} is no text"))
    }

    /// Lists what is in it, and signs the list.
    pub(super) fn sign(&mut self, key: &SigningKey) -> anyhow::Result<()> {
        let sums = self.sums();
        let mut note = Note::new(sums.clone())?;
        let house = key.verifying();
        note.sign(&key.named(&format!("{}/{PURPOSE}", house.name()))?, 0);
        self.add(SIGNED, note.to_string());
        self.add(SUMS, sums);
        Ok(())
    }

    fn sums(&self) -> String {
        let others = self.files.iter();
        let others = others.filter(|(name, _)| ![SUMS, SIGNED].contains(&name.as_str()));
        let line = |(name, bytes): (&String, &Vec<u8>)| {
            format!("{}  {name}\n", catwalk_archive::sha256_hex(bytes))
        };
        others.map(line).collect()
    }

    /// Is the list signed by one of these keys, and does it list these files and no other?
    pub(super) fn check(&self, keys: &[VerifyingKey]) -> anyhow::Result<()> {
        let note = Note::read(self.text(SIGNED)?).context(SIGNED)?;
        let keys = keys
            .iter()
            .map(|key| key.named(&format!("{}/{PURPOSE}", key.name())));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        note.verify(&keys).context(SIGNED)?;
        anyhow::ensure!(
            note.text() == self.text(SUMS)?,
            "{SUMS} is not the list that was signed"
        );
        let (signed, there) = (note.text(), self.sums());
        if signed == there {
            return Ok(());
        }
        let lines = |text: &str| -> BTreeMap<String, String> {
            let parts = text.lines().filter_map(|line| line.split_once("  "));
            parts
                .map(|(hash, name)| (name.to_owned(), hash.to_owned()))
                .collect()
        };
        let (signed, there) = (lines(signed), lines(&there));
        for (name, hash) in &signed {
            match there.get(name) {
                None => anyhow::bail!("{name} is missing"),
                Some(other) if other != hash => anyhow::bail!("{name} is not what was signed"),
                Some(_) => {}
            }
        }
        let added = there.keys().find(|name| !signed.contains_key(*name));
        anyhow::bail!("{} was added", added.map_or(SUMS, |name| name))
    }

    pub(super) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let shown = || path.display().to_string();
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".new");
        let file = File::create(&unfinished).with_context(shown)?;
        self.zip(file).with_context(shown)?;
        fs::rename(&unfinished, path).with_context(shown)
    }

    /// Nothing is compressed: hostile bytes that grow when they are read are no bundle of ours.
    fn zip(&self, file: impl Write + Seek) -> anyhow::Result<()> {
        let mut zip = ZipWriter::new(file);
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for (name, bytes) in &self.files {
            zip.start_file(name.as_str(), options)?;
            zip.write_all(bytes)?;
        }
        zip.finish()?.flush()?;
        Ok(())
    }

    /// Whether a file begins as a bundle does.
    pub(super) fn is_like(path: &Path) -> anyhow::Result<bool> {
        let mut begin = Vec::new();
        let file = File::open(path).with_context(|| path.display().to_string())?;
        file.take(ZIP.len() as u64).read_to_end(&mut begin)?;
        Ok(begin == ZIP)
    }

    pub(super) fn read(path: &Path) -> anyhow::Result<Bundle> {
        let file = File::open(path)?;
        anyhow::ensure!(
            file.metadata()?.len() <= MOST_BYTES,
            "it is larger than any bundle"
        );
        let mut zip = ZipArchive::new(file).context("it is no zip file")?;
        anyhow::ensure!(zip.len() <= MOST_FILES, "it has more files than any bundle");
        let mut bundle = Bundle::default();
        for index in 0..zip.len() {
            let part = zip.by_index(index).context("a part of it cannot be read")?;
            let name = part
                .name()
                .context("a part of it has no name")?
                .into_owned();
            let is_stored = part.compression() == CompressionMethod::Stored;
            anyhow::ensure!(
                is_stored,
                "{name} is compressed, which no bundle of ours is"
            );
            let mut bytes = Vec::new();
            part.take(MOST_BYTES)
                .read_to_end(&mut bytes)
                .with_context(|| format!("{name} cannot be read"))?;
            let again = bundle.files.insert(name.clone(), bytes);
            anyhow::ensure!(again.is_none(), "{name} is there twice");
        }
        Ok(bundle)
    }
}
