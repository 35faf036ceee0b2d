//! Hand evaluators.
