import Simulation

/// What the stories come to, step for step: index and lock of the server, and of each device the version it
/// knows, whether the file is gone there, what waits, and what came in.
extension FileStoryTests {
  static let tables: [(String, FileAnswer, String)] = [
    (
      "sonia-first", .keep,
      """
      t  event                     index   lock  Sonia  gone  waits   came in  Fred  gone  waits     came in
      0  the start                 3       -     3      -     -       -        3     -     -         -
      1  Sonia edits               3       -     3      -     upload  -        3     -     -         -
      2  Fred deletes              3       -     3      -     upload  -        3     -     deletion  -
      3  Sonia uploads 4           4       -     4      -     -       -        3     -     deletion  -
      4  Fred locks, reads index   4       Fred  4      -     -       -        3     -     deletion  4 found
      5  server fetches, unlocks   4       -     4      -     -       -        3     -     deletion  4 fetched
      6  Fred downloads, is asked  4       -     4      -     -       -        4     -     deletion  4 asked
      7  Fred keeps                4       -     4      -     -       -        4     -     deletion  4 settled
      8  Fred sends the deletion   4 gone  -     4      -     -       -        4     yes   -         -
      """
    ),
    (
      "sonia-first", .accept,
      """
      t  event                     index  lock  Sonia  gone  waits   came in  Fred  gone  waits     came in
      0  the start                 3      -     3      -     -       -        3     -     -         -
      1  Sonia edits               3      -     3      -     upload  -        3     -     -         -
      2  Fred deletes              3      -     3      -     upload  -        3     -     deletion  -
      3  Sonia uploads 4           4      -     4      -     -       -        3     -     deletion  -
      4  Fred locks, reads index   4      Fred  4      -     -       -        3     -     deletion  4 found
      5  server fetches, unlocks   4      -     4      -     -       -        3     -     deletion  4 fetched
      6  Fred downloads, is asked  4      -     4      -     -       -        4     -     deletion  4 asked
      7  Fred accepts              4      -     4      -     -       -        4     -     -         4 settled
      8  Fred: nothing left to do  4      -     4      -     -       -        4     -     -         -
      """
    ),
    (
      "fred-first", .keep,
      """
      t  event                       index   lock   Sonia  gone  waits     came in       Fred  gone  waits     came in
      0  the start                   3       -      3      -     -         -             3     -     -         -
      1  Sonia edits                 3       -      3      -     upload    -             3     -     -         -
      2  Fred deletes                3       -      3      -     upload    -             3     -     deletion  -
      3  Fred sends the deletion     3 gone  -      3      -     upload    -             3     yes   -         -
      4  Sonia locks, reads index    3 gone  Sonia  3      -     upload    gone found    3     yes   -         -
      5  Sonia is asked, holds lock  3 gone  Sonia  3      yes   upload    gone asked    3     yes   -         -
      6  Sonia keeps                 3 gone  Sonia  3      yes   undelete  gone settled  3     yes   -         -
      7  Sonia undeletes with 4      4       -      4      -     -         -             3     yes   -         -
      """
    ),
    (
      "fred-first", .accept,
      """
      t  event                       index   lock   Sonia  gone  waits   came in       Fred  gone  waits     came in
      0  the start                   3       -      3      -     -       -             3     -     -         -
      1  Sonia edits                 3       -      3      -     upload  -             3     -     -         -
      2  Fred deletes                3       -      3      -     upload  -             3     -     deletion  -
      3  Fred sends the deletion     3 gone  -      3      -     upload  -             3     yes   -         -
      4  Sonia locks, reads index    3 gone  Sonia  3      -     upload  gone found    3     yes   -         -
      5  Sonia is asked, holds lock  3 gone  Sonia  3      yes   upload  gone asked    3     yes   -         -
      6  Sonia accepts               3 gone  Sonia  3      yes   -       gone settled  3     yes   -         -
      7  Sonia: nothing left to do   3 gone  -      3      yes   -       -             3     yes   -         -
      """
    ),
    (
      "locked-out", .keep,
      """
      t   event                       index   lock   Sonia  gone  waits     came in       Fred  gone  waits     came in
      0   the start                   3       -      3      -     -         -             3     -     -         -
      1   Sonia edits                 3       -      3      -     upload    -             3     -     -         -
      2   Fred deletes                3       -      3      -     upload    -             3     -     deletion  -
      3   Fred sends the deletion     3 gone  -      3      -     upload    -             3     yes   -         -
      4   Sonia locks, reads index    3 gone  Sonia  3      -     upload    gone found    3     yes   -         -
      5   Sonia is asked, holds lock  3 gone  Sonia  3      yes   upload    gone asked    3     yes   -         -
      6   Fred edits the list         3 gone  Sonia  3      yes   upload    gone asked    3     yes   -         -
      7   Fred is locked out          3 gone  Sonia  3      yes   upload    gone asked    3     yes   -         -
      8   Sonia keeps                 3 gone  Sonia  3      yes   undelete  gone settled  3     yes   -         -
      9   Sonia undeletes with 4      4       -      4      -     -         -             3     yes   -         -
      10  Fred uploads list 1         4       -      4      -     -         -             4     yes   -         -
      """
    ),
    (
      "asked-again", .keep,
      """
      t   event                     index   lock  Sonia  gone  waits   came in  Fred  gone  waits     came in
      0   the start                 3       -     3      -     -       -        3     -     -         -
      1   Sonia edits               3       -     3      -     upload  -        3     -     -         -
      2   Fred deletes              3       -     3      -     upload  -        3     -     deletion  -
      3   Sonia uploads 4           4       -     4      -     -       -        3     -     deletion  -
      4   Fred locks, reads index   4       Fred  4      -     -       -        3     -     deletion  4 found
      5   server fetches, unlocks   4       -     4      -     -       -        3     -     deletion  4 fetched
      6   Fred downloads, is asked  4       -     4      -     -       -        4     -     deletion  4 asked
      7   Fred keeps                4       -     4      -     -       -        4     -     deletion  4 settled
      8   Sonia edits               4       -     4      -     upload  -        4     -     deletion  4 settled
      9   Sonia uploads 5           5       -     5      -     -       -        4     -     deletion  4 settled
      10  Fred locks, reads index   5       Fred  5      -     -       -        4     -     deletion  5 found
      11  server fetches, unlocks   5       -     5      -     -       -        4     -     deletion  5 fetched
      12  Fred downloads, is asked  5       -     5      -     -       -        5     -     deletion  5 asked
      13  Fred keeps                5       -     5      -     -       -        5     -     deletion  5 settled
      14  Fred sends the deletion   5 gone  -     5      -     -       -        5     yes   -         -
      """
    ),
    (
      "nothing-left", .keep,
      """
      t   event                     index   lock  Sonia  gone  waits     came in  Fred  gone  waits     came in
      0   the start                 3       -     3      -     -         -        3     -     -         -
      1   Sonia edits               3       -     3      -     upload    -        3     -     -         -
      2   Fred deletes              3       -     3      -     upload    -        3     -     deletion  -
      3   Sonia uploads 4           4       -     4      -     -         -        3     -     deletion  -
      4   Fred locks, reads index   4       Fred  4      -     -         -        3     -     deletion  4 found
      5   server fetches, unlocks   4       -     4      -     -         -        3     -     deletion  4 fetched
      6   Fred downloads, is asked  4       -     4      -     -         -        4     -     deletion  4 asked
      7   Fred keeps                4       -     4      -     -         -        4     -     deletion  4 settled
      8   Sonia deletes             4       -     4      -     deletion  -        4     -     deletion  4 settled
      9   Sonia sends the deletion  4 gone  -     4      yes   -         -        4     -     deletion  4 settled
      10  Fred: both deleted it     4 gone  -     4      yes   -         -        4     yes   -         -
      """
    ),
    (
      "undeleted-elsewhere", .keep,
      """
      t   event                      index   lock   Sonia  gone  waits     came in       Fred  gone  waits     came in
      0   the start                  3       -      3      -     -         -             3     -     -         -
      1   Sonia edits                3       -      3      -     upload    -             3     -     -         -
      2   Fred deletes               3       -      3      -     upload    -             3     -     deletion  -
      3   Fred edits the list        3       -      3      -     upload    -             3     -     deletion  -
      4   Tom edits                  3       -      3      -     upload    -             3     -     deletion  -
      5   Fred syncs                 3 gone  -      3      -     upload    -             3     yes   -         -
      6   Tom is asked               3 gone  -      3      -     upload    -             3     yes   -         -
      7   Sonia locks, reads index   3 gone  Sonia  3      -     upload    gone found    3     yes   -         -
      8   server fetches, unlocks    3 gone  -      3      -     upload    gone found    3     yes   -         -
      9   Sonia downloads            3 gone  -      3      -     upload    gone found    3     yes   -         -
      10  Sonia is asked             3 gone  -      3      yes   upload    gone asked    3     yes   -         -
      11  Sonia keeps                3 gone  -      3      yes   undelete  gone settled  3     yes   -         -
      12  Tom keeps                  3 gone  -      3      yes   undelete  gone settled  3     yes   -         -
      13  Tom undeletes with 4       4       -      3      yes   undelete  gone settled  3     yes   -         -
      14  Sonia locks, reads index   4       Sonia  3      yes   undelete  4 found       3     yes   -         -
      15  server fetches, unlocks    4       -      3      yes   undelete  4 fetched     3     yes   -         -
      16  Sonia downloads, is asked  4       -      4      yes   undelete  4 asked       3     yes   -         -
      17  Sonia keeps                4       -      4      yes   undelete  4 settled     3     yes   -         -
      18  Sonia undeletes with 5     5       -      5      -     -         -             3     yes   -         -
      """
    ),
    (
      "both-edit", .merge,
      """
      t  event                     index  lock  Sonia  gone  waits   came in  Fred  gone  waits   came in
      0  the start                 3      -     3      -     -       -        3     -     -       -
      1  Sonia edits               3      -     3      -     upload  -        3     -     -       -
      2  Fred edits                3      -     3      -     upload  -        3     -     upload  -
      3  Sonia uploads 4           4      -     4      -     -       -        3     -     upload  -
      4  Fred locks, reads index   4      Fred  4      -     -       -        3     -     upload  4 found
      5  server fetches, unlocks   4      -     4      -     -       -        3     -     upload  4 fetched
      6  Fred downloads, is asked  4      -     4      -     -       -        4     -     upload  4 asked
      7  Fred merges               4      -     4      -     -       -        4     -     upload  4 settled
      8  Fred uploads 5            5      -     4      -     -       -        5     -     -       -
      """
    ),
    (
      "edit-then-deletion", .accept,
      """
      t  event                     index  lock  Sonia  gone  waits   came in  Fred  gone  waits   came in
      0  the start                 3      -     3      -     -       -        3     -     -       -
      1  Sonia edits               3      -     3      -     upload  -        3     -     -       -
      2  Fred edits                3      -     3      -     upload  -        3     -     upload  -
      3  Fred deletes              3      -     3      -     upload  -        3     -     both    -
      4  Sonia uploads 4           4      -     4      -     -       -        3     -     both    -
      5  Fred locks, reads index   4      Fred  4      -     -       -        3     -     both    4 found
      6  server fetches, unlocks   4      -     4      -     -       -        3     -     both    4 fetched
      7  Fred downloads, is asked  4      -     4      -     -       -        4     -     both    4 asked
      8  Fred accepts              4      -     4      -     -       -        4     -     upload  4 settled
      9  Fred uploads 5            5      -     4      -     -       -        5     -     -       -
      """
    ),
    (
      "edit-then-deletion", .acceptAll,
      """
      t  event                     index  lock  Sonia  gone  waits   came in  Fred  gone  waits   came in
      0  the start                 3      -     3      -     -       -        3     -     -       -
      1  Sonia edits               3      -     3      -     upload  -        3     -     -       -
      2  Fred edits                3      -     3      -     upload  -        3     -     upload  -
      3  Fred deletes              3      -     3      -     upload  -        3     -     both    -
      4  Sonia uploads 4           4      -     4      -     -       -        3     -     both    -
      5  Fred locks, reads index   4      Fred  4      -     -       -        3     -     both    4 found
      6  server fetches, unlocks   4      -     4      -     -       -        3     -     both    4 fetched
      7  Fred downloads, is asked  4      -     4      -     -       -        4     -     both    4 asked
      8  Fred drops both           4      -     4      -     -       -        4     -     -       4 settled
      9  Fred: nothing left to do  4      -     4      -     -       -        4     -     -       -
      """
    ),
  ]
}
