#include <exception>
#include <iostream>
#include <new>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/common.h"
#include "causeway/cli/streams.h"

namespace {

using causeway::Fault;
using causeway::Json;
using causeway::Refused;
using causeway::cli::Exit;

// A line a fault on stderr behind one that counts them; with --json an object on stdout.
void print_refusal(const Refused& refused, bool json) {
  const size_t count = refused.faults().size();
  if (!json) {
    std::cerr << count << (count == 1 ? " fault:\n" : " faults:\n");
    for (const Fault& fault : refused.faults()) {
      std::cerr << "refused: " << (fault.where.empty() ? "" : fault.where + ": ") << fault.what << "\n";
    }
    return;
  }
  Json::Array faults;
  for (const Fault& fault : refused.faults()) {
    Json one{Json::Object{}};
    one.set("where", fault.where);
    one.set("what", fault.what);
    faults.push_back(std::move(one));
  }
  Json all{Json::Object{}};
  all.set("refused", std::move(faults));
  causeway::cli::print_json(all);
}

bool has_word(int count, char** words, std::string_view word) {
  for (int i = 1; i < count; ++i) {
    if (words[i] == word) return true;
  }
  return false;
}

// The first word is a verb, or an option of the program's own.
void expect_verb(const CLI::App& program, int count, char** words) {
  if (count < 2 || words[1][0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (words[1] == verb->get_name()) return;
    verbs.push_back(verb->get_name());
  }
  throw causeway::cli::WrongUsage(causeway::quoted(words[1]) + " is no verb." +
                                  causeway::nearest_or_all(words[1], {verbs.begin(), verbs.end()}));
}

// An empty word names no file, no layer and no length, so no option takes one.
void refuse_empty_values(CLI::App& program) {
  const CLI::Validator is_there(
      [](std::string& text) { return text.empty() ? std::string("its value is empty.") : ""; }, "");
  for (CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option :
         verb->get_options([](const CLI::Option* each) { return each->get_items_expected_max() > 0; })) {
      option->check(is_there);
    }
  }
}

// Does what the command line says; the exit code.
Exit done(CLI::App& program, const causeway::cli::Run& run, int count, char** words) {
  const bool json = has_word(count, words, "--json");
  try {
    expect_verb(program, count, words);
    program.parse(count, words);
    return run();
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors.
    if (program.exit(error) == 0) return Exit::Done;
    if (has_word(count, words, "--network") && std::string_view(error.what()).starts_with("MODEL")) {
      std::cerr
          << "--network says a network, and MODEL is the file of its numbers. To train it from its first numbers, "
             "state it as 'learn.network' of a pipeline and use causeway run.\n";
    }
    return Exit::WrongCommandLine;
  } catch (const causeway::cli::WrongUsage& wrong) {
    std::cerr << wrong.what() << "\n";
    return Exit::WrongCommandLine;
  } catch (const Refused& refused) {
    print_refusal(refused, json);
  } catch (const std::bad_alloc&) {
    print_refusal(Refused("memory", "there is not enough of it for this."), json);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return Exit::RefusedOrDiffers;
}

}  // namespace

int main(int count, char** words) {
  causeway::cli::hold_streams();
  CLI::App program(
      "Reads a model that PyTorch, Keras or ONNX saved; answers with it, trains it further, and writes it.",
      "causeway");
  program.set_version_flag("--version", "causeway 0.1.0");
  program.require_subcommand(1);
  causeway::cli::Run run;
  causeway::cli::add_inspect(program, run);
  causeway::cli::add_predict(program, run);
  causeway::cli::add_convert(program, run);
  causeway::cli::add_compare(program, run);
  causeway::cli::add_train(program, run);
  causeway::cli::add_run(program, run);
  causeway::cli::add_check(program, run);
  causeway::cli::add_bench(program, run);
  refuse_empty_values(program);
  Exit exit = done(program, run, count, words);
  if (!causeway::cli::is_printed_whole()) {
    print_refusal(Refused("stdout", "what is printed cannot be written there, and is not whole."), false);
    exit = Exit::RefusedOrDiffers;
  }
  return static_cast<int>(exit);
}
