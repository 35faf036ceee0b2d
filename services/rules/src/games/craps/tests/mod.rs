//! Craps: every cell, the way of each bet through the rolls, violations, refusals, house edges.

mod booking;
mod cells;
mod course;
mod mathematics;
mod refusals;
mod violations;
