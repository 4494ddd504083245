# For homebrew-core or a tap: brew install --formula packaging/homebrew/linsep.rb
class Linsep < Formula
  desc "Linear classification that proves its answer"
  homepage "https://github.com/linsep/linsep"
  url "https://github.com/linsep/linsep/archive/refs/tags/v0.3.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000" # RELEASING.md
  license "Apache-2.0"
  head "https://github.com/linsep/linsep.git", branch: "main"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "xxhash" => :build
  depends_on "eigen"
  depends_on "fast_float"
  depends_on "flint"
  depends_on "fmt"
  depends_on "gmp"
  depends_on "highway"
  depends_on "nlohmann-json"
  depends_on "zstd"

  uses_from_macos "zlib"

  def install
    args = %w[-DBUILD_SHARED_LIBS=ON -DLINSEP_TESTS=OFF -DLINSEP_WEB=OFF]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"linsep", "generate", "xor", "-o", "xor.svm"
    system bin/"linsep", "certify", "xor.svm", "-o", "proof.json"
    assert_match "valid", shell_output("#{bin}/linsep verify proof.json xor.svm")
  end
end
