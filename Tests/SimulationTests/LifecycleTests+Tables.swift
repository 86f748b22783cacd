extension LifecycleTests {
  static let model = """
        step                row                               last-known                           server                               picture
    1   no row yet          -                                 -                                    -                                    ( ) : ( ) / ( )
    2   client creates      title=Water plants count=1 *      -                                    -                                    ( ) : <*> / ( )
    3   sent, unconfirmed   title=Water plants count=1        -                                    title=Water plants count=1 @a *      ( ) : >*> / <a>
    4   confirmed           title=Water plants count=1        title=Water plants count=1 @a *      title=Water plants count=1 @a        [a] : ( ) / ( )
    5   server changes      title=Water plants count=1        title=Water plants count=1 @a        title=Water plants count=2 @b *      [a] : ( ) / <b>
    6   client fetches      title=Water plants count=2 *      title=Water plants count=2 @b *      title=Water plants count=2 @b        (a)-[b] : ( ) / ( )
    7   client edits        title=Water all plants count=3 *  title=Water plants count=2 @b        title=Water plants count=2 @b        (a)-[b] : <*> / ( )
    8   server edits too    title=Water all plants count=3    title=Water plants count=2 @b        title=Water plants count=4 @c *      (a)-[b] : <*> / <c>
    9a  merge               title=Water all plants count=3    title=Water plants count=2 @b        title=Water plants count=4 @c        (a)-[b] : <*> / <c> : {*'}
    9b  draft on top of it  title=Water all plants count=4 *  title=Water plants count=4 @c *      title=Water plants count=4 @c        (b)-[c] : <*'> / ( )
    10  sent, unconfirmed   title=Water all plants count=4    title=Water plants count=4 @c        title=Water all plants count=4 @d *  (b)-[c] : >*'> / <d>
    11  all agree           title=Water all plants count=4    title=Water all plants count=4 @d *  title=Water all plants count=4 @d    (c)-[d] : ( ) / ( )
    """

  static let today = """
        step                row                               last-known                           server                               picture
    1   no row yet          -                                 -                                    -                                    ( ) : ( ) / ( )
    2   client creates      title=Water plants count=1 *      -                                    -                                    ( ) : <*> / ( )
    3   sent, unconfirmed   title=Water plants count=1        title=Water plants count=1 @? *      title=Water plants count=1 @a *      [*] : >*> / <a>
    4   confirmed           title=Water plants count=1        title=Water plants count=1 @a *      title=Water plants count=1 @a        [a] : ( ) / ( )
    5   server changes      title=Water plants count=1        title=Water plants count=1 @a        title=Water plants count=2 @b *      [a] : ( ) / <b>
    6   client fetches      title=Water plants count=2 *      title=Water plants count=2 @b *      title=Water plants count=2 @b        (a)-[b] : ( ) / ( )
    7   client edits        title=Water all plants count=3 *  title=Water plants count=2 @b        title=Water plants count=2 @b        (a)-[b] : <*> / ( )
    8   server edits too    title=Water all plants count=3    title=Water plants count=2 @b        title=Water plants count=4 @c *      (a)-[b] : <*> / <c>
    9a  merge               title=Water all plants count=3    title=Water plants count=4 @c *      title=Water plants count=4 @c        (b)-[c] : <*'> / ( )
    9b  draft on top of it  title=Water all plants count=3    title=Water plants count=4 @c        title=Water plants count=4 @c        (b)-[c] : <*'> / ( )
    10  sent, unconfirmed   title=Water all plants count=3    title=Water plants count=4 @c        title=Water all plants count=3 @d *  (b)-[c] : >*'> / <d>
    11  all agree           title=Water all plants count=3    title=Water all plants count=3 @d *  title=Water all plants count=3 @d    (c)-[d] : ( ) / ( )
    """
}
