/// Letters of keyboards for other alphabets count by their place: where Russian has о, an English keyboard has j.
enum OtherLayouts {
  /// The letter that an English keyboard has at the place of this one; nil if it is in none of the layouts here.
  static func latin(_ letter: Character) -> Character? { places[letter] }

  private static let latin = Array("qwertyuiopasdfghjklzxcvbnmQWERTYUIOPASDFGHJKLZXCVBNM")

  /// In the order of `latin`, with a space where a layout has no letter, or several at once. As X.Org's keyboard database has them, but for
  /// Korean and hiragana, which input methods make. What one has put together of two keys is at no place. Bengali is not here: its layouts,
  /// of which none is everybody's, have the same letters at other places.
  private static let layouts = [
    // Russian
    "йцукенгшщзфывапролдячсмить"
      + "ЙЦУКЕНГШЩЗФЫВАПРОЛДЯЧСМИТЬ",
    // Ukrainian
    "йцукенгшщзфівапролдячсмить"
      + "ЙЦУКЕНГШЩЗФІВАПРОЛДЯЧСМИТЬ",
    // Greek. What it has at q is a semicolon, which others type as well: nobody leaves by that.
    " ςερτυθιοπασδφγηξκλζχψωβνμ"
      + " ΣΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ",
    // Armenian
    "ճփբսմուկըթջվգեանիտհժդչյզլք"
      + "ՃՓԲՍՄՈՒԿԸԹՋՎԳԵԱՆԻՏՀԺԴՉՅԶԼՔ",
    // Georgian
    "ქწერტყუიოპასდფგჰჯკლზხცვბნმ"
      + " ჭ ღთ      შ    ჟ  ძ ჩ",
    // Hebrew
    "  \u{5E7}\u{5E8}\u{5D0}\u{5D8}\u{5D5}\u{5DF}\u{5DD}\u{5E4}\u{5E9}\u{5D3}\u{5D2}\u{5DB}"
      + "\u{5E2}\u{5D9}\u{5D7}\u{5DC}\u{5DA}\u{5D6}\u{5E1}\u{5D1}\u{5D4}\u{5E0}\u{5DE}\u{5E6}",
    // Arabic
    "\u{636}\u{635}\u{62B}\u{642}\u{641}\u{63A}\u{639}\u{647}\u{62E}\u{62D}\u{634}\u{633}"
      + "\u{64A}\u{628}\u{644}\u{627}\u{62A}\u{646}\u{645}\u{626}\u{621}\u{624}\u{631} \u{649}"
      + "\u{629}"
      + "\u{64E}\u{64B}\u{64F}\u{64C} \u{625}    \u{650}\u{64D}   \u{623}\u{640}   \u{652}   "
      + "\u{622}",
    // Hindi, InScript
    "\u{94C}\u{948}\u{93E}\u{940}\u{942}\u{92C}\u{939}\u{917}\u{926}\u{91C}\u{94B}\u{947}"
      + "\u{94D}\u{93F}\u{941}\u{92A}\u{930}\u{915}\u{924}\u{946}\u{902}\u{92E}\u{928}\u{935}"
      + "\u{932}\u{938}"
      + "\u{914}\u{910}\u{906}\u{908}\u{90A}\u{92D}\u{919}\u{918}\u{927}\u{91D}\u{913}\u{90F}"
      + "\u{905}\u{907}\u{909}\u{92B}\u{931}\u{916}\u{925}\u{90E}\u{901}\u{923}\u{929}\u{934}"
      + "\u{933}\u{936}",
    // Thai
    "\u{E46}\u{E44}\u{E33}\u{E1E}\u{E30}\u{E31}\u{E35}\u{E23}\u{E19}\u{E22}\u{E1F}\u{E2B}"
      + "\u{E01}\u{E14}\u{E40}\u{E49}\u{E48}\u{E32}\u{E2A}\u{E1C}\u{E1B}\u{E41}\u{E2D}\u{E34}"
      + "\u{E37}\u{E17}"
      + "  \u{E0E}\u{E11}\u{E18}\u{E4D}\u{E4A}\u{E13}\u{E2F}\u{E0D}\u{E24}\u{E06}\u{E0F}\u{E42}"
      + "\u{E0C}\u{E47}\u{E4B}\u{E29}\u{E28}  \u{E09}\u{E2E}\u{E3A}\u{E4C}",
    // Korean, 2-set
    "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ"
      + "ㅃㅉㄸㄲㅆ   ㅒㅖ",
    // Japanese kana, as JIS has them: hiragana, katakana
    "たていすかんなにらせちとしはきくまのりつさそひこみも"
      + "  ぃ                っ",
    "タテイスカンナニラセチトシハキクマノリツサソヒコミモ"
      + "  ィ                ッ",
  ]

  /// Of a letter that two layouts have at different places the first counts.
  private static let places: [Character: Character] = {
    var places: [Character: Character] = [:]
    for layout in layouts {
      // Marks that stand on letters are keys of their own.
      for (place, letter) in layout.unicodeScalars.enumerated() where letter != " " {
        let letter = Character(letter)
        places[letter] = places[letter] ?? latin[place]
      }
    }
    return places
  }()
}
