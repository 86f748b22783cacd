# A formula for Homebrew. It was written beside the Debian package and never run: no Mac was at hand. Who has one:
#   brew install --HEAD --build-from-source .ci/parley.rb
class Parley < Formula
  desc "Conflict desk for data that syncs"
  homepage "https://example.com/parley" # where the repository lies
  head "https://example.com/parley.git", branch: "main"

  depends_on xcode: ["16.3", :build]
  depends_on macos: :sequoia
  depends_on "ncurses"
  depends_on "pkgconf" => :build

  def install
    ENV.prepend_path "PKG_CONFIG_PATH", Formula["ncurses"].opt_lib/"pkgconfig"
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "parley"
    bin.install ".build/release/parley"
    (man1/"parley.1").write Utils.safe_popen_read(bin/"parley", "help", "--man")
    generate_completions_from_executable(bin/"parley", "completions", shells: [:bash, :zsh, :fish])
    (doc/"themes").install Dir["Themes/*.yaml"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/parley --version") unless build.head?
    store = shell_output("#{bin}/parley demo --write #{testpath}/demo").strip
    assert_equal 25, shell_output("#{bin}/parley list #{store}", 1).lines.count
  end
end
