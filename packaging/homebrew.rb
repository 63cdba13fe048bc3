class Formwork < Formula
  desc "CloudFormation loops, modules and checks on your machine"
  homepage "https://github.com/formwork-cfn/formwork"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  # begin aarch64-apple-darwin
  on_macos do
    on_arm do
      url "https://github.com/formwork-cfn/formwork/releases/download/v{{version}}/formwork-{{version}}-aarch64-apple-darwin.tar.gz"
      sha256 "{{sha256 aarch64-apple-darwin}}"
    end
  end
  # end
  # begin x86_64-apple-darwin
  on_macos do
    on_intel do
      url "https://github.com/formwork-cfn/formwork/releases/download/v{{version}}/formwork-{{version}}-x86_64-apple-darwin.tar.gz"
      sha256 "{{sha256 x86_64-apple-darwin}}"
    end
  end
  # end
  # begin aarch64-unknown-linux-gnu
  on_linux do
    on_arm do
      url "https://github.com/formwork-cfn/formwork/releases/download/v{{version}}/formwork-{{version}}-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "{{sha256 aarch64-unknown-linux-gnu}}"
    end
  end
  # end
  # begin x86_64-unknown-linux-gnu
  on_linux do
    on_intel do
      url "https://github.com/formwork-cfn/formwork/releases/download/v{{version}}/formwork-{{version}}-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "{{sha256 x86_64-unknown-linux-gnu}}"
    end
  end
  # end

  def install
    bin.install "formwork"
    bash_completion.install "completions/formwork.bash" => "formwork"
    zsh_completion.install "completions/_formwork"
    fish_completion.install "completions/formwork.fish"
    man1.install Dir["man/man1/*.1"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/formwork version")
  end
end
