//! A tournament tree, which finds out which of several sequences has the first element. It needs
//! few comparisons each time a sequence advances.

/// A tournament of numbered players. Each inner node holds the loser of its match, so that a player
/// who changes plays only the losers on its way to the top, one for each level.
#[derive(Debug, Default)]
pub(super) struct LoserTree {
    /// Node `i` has the children `2i` and `2i + 1`. The players are the last level. Node 0 is
    /// unused.
    losers: Vec<usize>,
    winner: usize,
}

impl LoserTree {
    /// Plays all matches, which are one fewer than the players.
    pub(super) fn play(players: usize, mut before: impl FnMut(usize, usize) -> bool) -> Self {
        let mut winners = vec![0; players];
        winners.extend(0..players);
        let mut losers = vec![0; players];
        for node in (1..players).rev() {
            let child = |at: usize| winners.get(at).copied().unwrap_or_default();
            let (a, b) = (child(2 * node), child(2 * node + 1));
            let (winner, loser) = if before(b, a) { (b, a) } else { (a, b) };
            set(&mut winners, node, winner);
            set(&mut losers, node, loser);
        }
        Self { losers, winner: winners.get(1).copied().unwrap_or_default() }
    }

    /// The player who comes before all others.
    pub(super) fn winner(&self) -> usize {
        self.winner
    }

    /// Replays the matches of the winner after it has changed: one match for each level.
    pub(super) fn replay(&mut self, mut before: impl FnMut(usize, usize) -> bool) {
        let mut winner = self.winner;
        let mut node = (self.losers.len() + winner) / 2;
        while node > 0 {
            if let Some(loser) = self.losers.get_mut(node)
                && before(*loser, winner)
            {
                std::mem::swap(loser, &mut winner);
            }
            node /= 2;
        }
        self.winner = winner;
    }
}

fn set(list: &mut [usize], at: usize, value: usize) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges sequences, and returns the result with the number of comparisons.
    fn merged(mut lists: Vec<Vec<u32>>) -> (Vec<u32>, usize) {
        lists.iter_mut().for_each(|list| list.reverse());
        let mut comparisons = 0;
        let before =
            |lists: &[Vec<u32>], a: usize, b: usize| match (lists[a].last(), lists[b].last()) {
                (Some(a), Some(b)) => a < b,
                (a, _) => a.is_some(),
            };
        let mut tree = LoserTree::play(lists.len(), |a, b| {
            comparisons += 1;
            before(&lists, a, b)
        });
        let mut out = Vec::new();
        while let Some(next) = lists.get_mut(tree.winner()).and_then(Vec::pop) {
            out.push(next);
            tree.replay(|a, b| {
                comparisons += 1;
                before(&lists, a, b)
            });
        }
        (out, comparisons)
    }

    #[test]
    fn sequences_of_any_number_and_length_are_merged() {
        for players in 0..40 {
            let list = |at: usize| (0..at * 7 % 11).map(|i| (i * players + at) as u32).collect();
            let lists: Vec<Vec<u32>> = (0..players).map(list).collect();
            let mut expected = lists.concat();
            expected.sort_unstable();
            assert_eq!(merged(lists).0, expected, "{players} sequences");
        }
    }

    #[test]
    fn a_row_costs_as_many_comparisons_as_there_are_levels() {
        for (players, levels) in [(1, 0), (2, 1), (16, 4), (256, 8), (300, 9)] {
            let lists =
                (0..players).map(|at| (0..50).map(|i| i * players + at).collect()).collect();
            let (rows, comparisons) = merged(lists);
            let most = players as usize - 1 + rows.len() * levels;
            assert!(comparisons <= most, "{players}: {comparisons} comparisons of {most}");
        }
    }
}
