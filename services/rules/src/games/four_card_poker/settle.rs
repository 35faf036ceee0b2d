//! What is four card poker's own: play wagers of one to three antes, and equal hands that win.

use super::{Kind, Rules, Wager};
use crate::floor::{Cents, Rounding};
use crate::games::shared::ante_play::{Seats, with_bonus};
use crate::games::shared::four_card::{self, House, pay_row};
use crate::hands::four;
use crate::settlement::{Settled, Violations};

impl four_card::Rules for Rules {
    type Kind = Kind;

    fn house(&self) -> &House<Kind> {
        &self.house
    }

    fn flag_wagers(&self, seats: &Seats<'_, Kind>, violations: &mut Violations) {
        let [least, most] = self.play_multiples;
        for at in seats.iter() {
            if let Some((play, ante)) = at.play().zip(at.ante()) {
                let allowed = ante.amount.times(least)..=ante.amount.times(most);
                violations.add_if(!allowed.contains(&play.amount), "wager.play_amount");
            }
        }
    }

    fn settle_hand(
        &self,
        wager: &Wager,
        player: four::Hand,
        dealer: Option<four::Hand>,
    ) -> Settled {
        // §12.A.i: an equal hand wins, and the dealer needs no hand to play.
        let beaten = dealer.is_some_and(|dealer| player < dealer);
        let main = |odds| pay_row(wager, Some(odds).filter(|_| !beaten));
        match wager.kind {
            Kind::Ante => {
                // §12.A.ii: whether or not the hand outranks the dealer's.
                let bonus = self.ante_bonus.pays(player);
                let bonus = bonus.map(|odds| odds.win_on(wager.amount, Rounding::DOWN));
                with_bonus(main(self.house.main.ante), bonus.unwrap_or(Cents::ZERO))
            }
            Kind::Play => main(self.house.main.play),
            Kind::AcesUp => pay_row(wager, self.aces_up.pays(player)),
            // Not against the dealer, nor on four cards.
            Kind::Progressive => Settled::void(wager),
        }
    }
}
