//! What of the log nobody has taken in: it is said, counted, and no run that met it is called fine.

use std::ops::Range;

use catwalk_log::{Partition, Topic};
use prometheus::{IntCounterVec, Opts, Registry};

use super::{House, Metrics};

/// By what they are missing from.
pub(super) struct LeftOut(IntCounterVec);

/// Who reads: the names of the label.
const SETTLER: &str = "settler";
const UNIFORMITY: &str = "uniformity";
const ARCHIVER: &str = "archiver";

impl LeftOut {
    pub(super) fn new(registry: &Registry) -> Result<LeftOut, prometheus::Error> {
        let counted = IntCounterVec::new(
            Opts::new(
                "catwalk_records_left_out_total",
                "Records that were removed from the log before they were read, or that should be of our own services \
                 and cannot be read; the log of the service says which.",
            ),
            &["service"],
        )?;
        registry.register(Box::new(counted.clone()))?;
        for service in [SETTLER, UNIFORMITY, ARCHIVER] {
            counted.with_label_values(&[service]).reset();
        }
        Ok(LeftOut(counted))
    }

    /// Records were removed from the log before they were read. Who begins has lost nothing by that, but it has to be
    /// known.
    pub(super) fn removed(&self, partition: Partition, records: &Range<u64>) {
        let (service, was_done) = match partition.topic {
            Topic::FloorEvents => (SETTLER, "settled"),
            _ => (UNIFORMITY, "compared"),
        };
        let (from, to) = (records.start, records.end - 1);
        eprintln!(
            "catwalk: records {from} to {to} of {partition} were removed from the log before they were {was_done}: \
             see retention.ms of the topic"
        );
        if from > 0 {
            let counted = self.0.with_label_values(&[service]);
            counted.inc_by(records.end - from);
        }
    }

    fn all(&self) -> u64 {
        let services = [SETTLER, UNIFORMITY, ARCHIVER];
        services
            .map(|service| self.0.with_label_values(&[service]).get())
            .iter()
            .sum()
    }
}

impl Metrics {
    /// Says what the archiver has left out since this was asked last.
    pub(super) fn tell_left_out(&self) {
        let Some(archive) = self.archive() else {
            return;
        };
        let untold = archive.untold();
        for place in untold.places {
            eprintln!("catwalk: archiver: {place}");
        }
        let counted = self.left_out.0.with_label_values(&[ARCHIVER]);
        counted.inc_by(untold.records);
    }
}

impl House {
    /// Says what was left out since this was asked last, and gives how many records that are in all.
    pub(super) fn left_out(&self) -> u64 {
        self.metrics.tell_left_out();
        self.metrics.left_out.all()
    }
}
