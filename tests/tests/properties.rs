//! Laws that hold for every template (`formwork_tests::properties`), tried on templates at random. The same
//! ones each time; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` change that.

use std::cell::Cell;

use formwork_syntax::value::Value;
use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{
    Verdict, building, copies_agree, copies_in_loops, directories, duplicates, fragments, idempotent, keep, key_order,
    layouts, lines_agree, loops_agree, module_of_root, modules_agree, modules_compose, names_agree, never_milder,
    one_pass, one_run, origins, packaging, projects, queries, quiet, readers, reading, refines, round_trip, secrets,
    shared, solved_rules, spellings, sub_text, untouched,
};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

const CASES: u32 = 256;

/// Tries a law on what bytes make.
fn hold(law: impl Fn(&mut Choices<'_>) -> Verdict) {
    hold_for(&vec(any::<u8>(), 0..400), |bytes| law(&mut Choices::new(bytes)));
}

/// Tries a law on values of a strategy.
fn hold_for<S: Strategy>(values: &S, law: impl Fn(&S::Value) -> Verdict) {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    config.rng_algorithm = RngAlgorithm::ChaCha;
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x0f0e_d5ea);
    }
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(values, |value| law(&value).map_err(proptest::test_runner::TestCaseError::fail));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Tries a law on templates in YAML.
fn hold_in_yaml(law: impl Fn(&str) -> Verdict) {
    hold(|choices| {
        let template = generate::template(choices);
        law(&generate::yaml(&template, choices))
    });
}

/// Tries a law on templates in JSON.
fn hold_in_json(law: impl Fn(&str) -> Verdict) {
    hold(|choices| law(&generate::json(&generate::template(choices))));
}

/// The files of a project in JSON.
fn in_json(project: generate::Project) -> Vec<(String, String)> {
    project.into_iter().map(|(path, value)| (path, generate::json(&value))).collect()
}

#[test]
fn expanding_twice_is_expanding_once() {
    hold_in_yaml(idempotent::idempotent);
    hold_in_json(idempotent::idempotent);
}

#[test]
fn one_pass_is_enough() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    hold(|choices| {
        let template = generate::calls(choices);
        let count = one_pass::one_pass(&generate::yaml(&template, choices))?;
        one_pass::one_pass(&generate::json(&template))?;
        all.set(all.get() + 4);
        outputs.set(outputs.get() + count);
        Ok(())
    });
    assert!(outputs.get() * 2 > all.get(), "of {} runs only {} have an output", all.get(), outputs.get());
}

/// The values that are passed count in a collection, also where they are kept in what it generates: found by
/// `every_node_is_what_its_origin_says` at 10,000 cases.
#[test]
fn what_is_made_of_a_list_in_a_collection_has_its_origin() {
    let text = r"Transform: [AWS::LanguageExtensions, Formwork]
Parameters: {Stage: {Type: String, Default: dev}}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      One:
        - Fn::Map:
            Value: Part
            Collection: [!Base64 {Ref: Stage}, !Split [',', !Ref Stage]]
            Fragment: !Ref Part
";
    origins::origins(text).unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// A call that fails below an undecided condition stays as it is written, with the items of its loops, and so does
/// what is in it: found by the fuzz target `origins`.
#[test]
fn what_is_in_a_call_that_stays_has_its_origin() {
    let text = r"Transform: AWS::LanguageExtensions
Parameters: {Stage: {Type: String}}
Mappings: {Table: {dev: {Kinds: [a, b]}}}
Conditions: {IsDev: !Equals [!Ref Stage, dev]}
Resources:
  Fn::ForEach::Loop:
    - Name
    - [1, 2]
    - Res${Name}:
        Type: AWS::SNS::Topic
        Condition: IsDev
        Properties:
          One: !Sub
            - a ${Var}
            - Var: !Sub [b, {Var: x, Stage: !FindInMap [Table, !Ref Name, Kinds]}]
              Stage: !Ref AWS::NoValue
";
    origins::origins(text).unwrap_or_else(|wrong| panic!("{wrong}"));
}

#[test]
fn calls_in_calls_have_origins() {
    hold(|choices| {
        let template = generate::calls(choices);
        origins::origins(&generate::yaml(&template, choices))
    });
}

#[test]
fn what_is_written_is_read_as_the_same() {
    hold_in_yaml(round_trip::round_trip);
    hold_in_json(round_trip::round_trip);
}

/// 300 templates are the bar.
#[test]
fn a_template_in_files_is_the_template() {
    let (templates, members) = (Cell::new(0_usize), Cell::new(0_usize));
    for bytes in [200..300, 300..400, 0..400] {
        hold_for(&vec(any::<u8>(), bytes), |bytes| {
            let mut choices = Choices::new(bytes);
            let template = generate::template(&mut choices);
            let compared = fragments::fragments(&template, &mut choices)?;
            templates.set(templates.get() + 1);
            members.set(members.get() + compared);
            Ok(())
        });
    }
    assert!(templates.get() >= 300 && members.get() >= 1_000, "{templates:?} {members:?}");
}

/// `PROPTEST_CASES=10000` is the bar.
#[test]
fn every_layout_of_yaml_has_the_value_of_json() {
    let bytes = (vec(any::<u8>(), 0..200), vec(any::<u8>(), 0..800));
    hold_for(&bytes, |(data, layout)| {
        let value = generate::data(&mut Choices::new(data));
        layouts::data(&generate::layout(&value, &mut Choices::new(layout)), &generate::json(&value))
    });
    for template in [generate::template, generate::calls, generate::replaced_calls] {
        every_layout_of(template);
    }
}

#[test]
fn of_two_entries_with_one_key_the_last_counts() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    let bytes = (vec(any::<u8>(), 0..400), vec(any::<u8>(), 0..200), vec(any::<u8>(), 0..1500));
    for make in [generate::template, generate::calls, generate::replaced_calls] {
        hold_for(&bytes, |(template, twice, layout)| {
            let value = make(&mut Choices::new(template));
            let value = generate::duplicates(&value, &mut Choices::new(twice));
            let mut layout = Choices::new(layout);
            for text in [generate::json(&value), generate::layout(&value, &mut layout)] {
                outputs.set(outputs.get() + duplicates::duplicates(&text)?);
                all.set(all.get() + 4);
            }
            Ok(())
        });
    }
    hold_for(&bytes, |(template, twice, layout)| {
        let value = generate::template(&mut Choices::new(template));
        let value = generate::duplicates(&value, &mut Choices::new(twice));
        let yaml = generate::yaml(&value, &mut Choices::new(layout));
        spellings::spellings(&yaml, &generate::json(&value))?;
        idempotent::idempotent(&yaml)
    });
    assert!(outputs.get() * 5 > all.get(), "of {} runs only {} have an output", all.get(), outputs.get());
}

#[test]
fn of_two_entries_with_one_key_the_last_counts_in_projects() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    let bytes = (vec(any::<u8>(), 0..400), vec(any::<u8>(), 0..200), vec(any::<u8>(), 0..1500));
    for make in [generate::rooted, generate::wide, generate::modules] {
        hold_for(&bytes, |(project, twice, layout)| {
            let project = make(&mut Choices::new(project));
            let (mut twice, mut layout) = (Choices::new(twice), Choices::new(layout));
            let lost: generate::Project =
                project.iter().map(|(name, file)| (name.clone(), generate::duplicates(file, &mut twice))).collect();
            let is_json = layout.one_in(2);
            let mut written = |project: &generate::Project| -> Vec<(String, String)> {
                let mut text = |file: &Value| {
                    let is_text = matches!(file, Value::String(_));
                    if is_json || is_text { generate::json(file) } else { generate::layout(file, &mut layout) }
                };
                project.iter().map(|(name, file)| (name.clone(), text(file))).collect()
            };
            outputs.set(outputs.get() + duplicates::in_projects(&written(&lost), &written(&project))?);
            all.set(all.get() + 4);
            Ok(())
        });
    }
    assert!(outputs.get() * 5 > all.get(), "of {} runs only {} have an output", all.get(), outputs.get());
}

#[test]
fn any_text_is_read_to_its_end() {
    hold(|choices| {
        let text = generate::tokens(choices);
        reading::reading("template.yaml", &text)?;
        reading::reading("template.json", &text)
    });
}

#[test]
fn both_readers_of_yaml_read_alike() {
    let (all, common) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    hold_in_yaml(|text| {
        common.set(common.get() + usize::from(readers::readers(text)?));
        all.set(all.get() + 1);
        Ok(())
    });
    assert!(common.get() * 2 > all.get(), "of {} templates only {} are common", all.get(), common.get());
    let bytes = (vec(any::<u8>(), 0..400), vec(any::<u8>(), 0..1500));
    hold_for(&bytes, |(data, layout)| {
        for make in [generate::data, generate::template] {
            let value = make(&mut Choices::new(data));
            readers::readers(&generate::layout(&value, &mut Choices::new(layout)))?;
        }
        readers::readers(&generate::tokens(&mut Choices::new(layout))).map(drop)
    });
}

fn every_layout_of(make: fn(&mut Choices<'_>) -> formwork_syntax::value::Value) {
    let bytes = (vec(any::<u8>(), 0..400), vec(any::<u8>(), 0..1500));
    let (all, printed) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    hold_for(&bytes, |(template, layout)| {
        let value = make(&mut Choices::new(template));
        let yaml = generate::layout(&value, &mut Choices::new(layout));
        let count = layouts::layouts(&yaml, &generate::json(&value))?;
        all.set(all.get() + 1);
        printed.set(printed.get() + count);
        Ok(())
    });
    assert!(printed.get() >= all.get(), "of {} templates only {} outputs", all.get(), printed.get());
}

#[test]
fn yaml_and_json_say_the_same() {
    hold(|choices| {
        let template = generate::template(choices);
        spellings::spellings(&generate::yaml(&template, choices), &generate::json(&template))
    });
}

#[test]
fn a_plan_without_values_is_never_milder() {
    // A pair of templates takes more decisions than others.
    let (tried, compared, stopped) = (Cell::new(0), Cell::new(0), Cell::new(0));
    hold_for(&vec(any::<u8>(), 200..1_500), |bytes| {
        let gates = never_milder::never_milder(&generate::versions(&mut Choices::new(bytes)))?;
        tried.set(tried.get() + 1);
        compared.set(compared.get() + usize::from(gates.is_some()));
        stopped.set(stopped.get() + usize::from(gates.is_some_and(|gates| gates > 1)));
        Ok(())
    });
    // Templates that refuse the values, and changes that no gate stops, show nothing.
    let counts = format!("{} of {} compared, {} stopped", compared.get(), tried.get(), stopped.get());
    assert!(compared.get() * 3 > tried.get() && stopped.get() * 8 > tried.get(), "{counts}");
}

#[test]
fn more_knowledge_refines() {
    hold_in_yaml(refines::refines);
}

#[test]
fn what_has_nothing_to_do_is_untouched() {
    hold_in_yaml(untouched::untouched);
    hold_in_yaml(|text| {
        let Some(out) = formwork_tests::properties::output(text, &formwork::Options::default(), formwork::Goal::Expand)
        else {
            return Ok(());
        };
        untouched::untouched(&out)
    });
}

#[test]
fn a_loop_is_what_it_is_by_hand() {
    hold(|choices| loops_agree::loops_agree(&generate::loops(choices)));
}

#[test]
fn copied_iterations_are_expanded_ones() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    let law = |files: &[(String, String)]| {
        outputs.set(outputs.get() + copies_agree::copies_agree(files)?);
        all.set(all.get() + 5);
        Ok(())
    };
    let alone = |text: String| law(&[("template.yaml".to_owned(), text)]);
    for make in [generate::template, generate::calls, generate::replaced_calls, generate::artifacts] {
        hold(|choices| {
            let template = make(choices);
            let template = if choices.one_in(4) { generate::errors(template, choices) } else { template };
            alone(if choices.one_in(2) { generate::json(&template) } else { generate::yaml(&template, choices) })
        });
    }
    for make in [generate::loops, generate::names] {
        hold(|choices| {
            let loops = make(choices);
            alone(generate::json(&loops.for_each))?;
            alone(generate::yaml(&loops.map, choices))
        });
    }
    hold(|choices| alone(generate::placeholders(choices)));
    for make in [generate::rooted, generate::wide, generate::modules] {
        hold(|choices| law(&in_json(make(choices))));
    }
    assert!(outputs.get() * 5 > all.get(), "of {} runs only {} have iterations", all.get(), outputs.get());
}

#[test]
fn json_that_is_created_is_json_that_is_edited() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    let law = |files: &[(String, String)]| {
        outputs.set(outputs.get() + lines_agree::lines_agree(files)?);
        all.set(all.get() + 4);
        Ok(())
    };
    let alone = |value: &Value| law(&[("template.json".to_owned(), generate::json(value))]);
    for make in [generate::template, generate::calls, generate::replaced_calls, generate::artifacts] {
        hold(|choices| alone(&make(choices)));
    }
    for make in [generate::loops, generate::names] {
        hold(|choices| {
            let loops = make(choices);
            alone(&loops.for_each)?;
            alone(&loops.map)
        });
    }
    for make in [generate::rooted, generate::wide, generate::modules] {
        hold(|choices| law(&in_json(make(choices))));
    }
    assert!(outputs.get() * 3 > all.get(), "of {} runs only {} have an output", all.get(), outputs.get());
}

#[test]
fn files_of_one_run_are_files_of_many() {
    for make in [generate::rooted, generate::wide, generate::modules] {
        hold(|choices| {
            let project = make(choices);
            let mut text = |(path, value): (String, Value)| {
                let is_json = choices.one_in(2);
                (path, if is_json { generate::json(&value) } else { generate::yaml(&value, choices) })
            };
            one_run::one_run(&project.into_iter().map(&mut text).collect::<Vec<_>>())
        });
    }
}

#[test]
fn names_in_loops_are_reported_as_written_out() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    hold(|choices| {
        let count = names_agree::names_agree(&generate::names(choices))?;
        all.set(all.get() + 6);
        outputs.set(outputs.get() + count);
        Ok(())
    });
    assert!(outputs.get() * 10 > all.get(), "of {} runs only {} have an output", all.get(), outputs.get());
}

#[test]
fn what_goes_into_a_text_of_sub_is_there_as_it_is() {
    let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    hold(|choices| {
        let count = sub_text::texts_stay(choices)?;
        all.set(all.get() + 5);
        outputs.set(outputs.get() + count);
        Ok(())
    });
    assert!(outputs.get() * 2 > all.get(), "of {} runs only {} have an output", all.get(), outputs.get());
}

#[test]
fn every_node_is_what_its_origin_says() {
    hold_in_yaml(origins::origins);
    hold_in_json(origins::origins);
}

#[test]
fn secrets_are_seen_nowhere() {
    hold_in_yaml(secrets::secrets);
    hold(|choices| {
        let template = generate::rules(choices, true);
        secrets::secrets_of_rules(&generate::yaml(&template, choices))
    });
}

#[test]
fn secrets_of_projects_are_seen_nowhere() {
    for make in [generate::rooted, generate::wide] {
        hold(|choices| secrets::secrets_of_projects(&make(choices)));
    }
}

#[test]
fn copies_in_loops_have_the_items_of_both() {
    hold(copies_in_loops::copies_in_loops);
}

#[test]
fn secrets_decide_as_other_values_do() {
    hold(secrets::secrets_decide);
}

#[test]
fn secrets_of_broken_texts_are_seen_nowhere() {
    hold(secrets::secrets_of_broken_texts);
}

#[test]
fn secrets_of_texts_that_end_or_break_in_their_key_are_seen_nowhere() {
    hold(secrets::secrets_of_cut_texts);
}

#[test]
fn values_of_parameter_files_are_seen_nowhere() {
    hold(|choices| secrets::secrets_of_files(&generate::parameters_file(choices)));
}

#[test]
fn searches_for_values_tell_the_truth() {
    hold(|choices| {
        let template = generate::rules(choices, false);
        solved_rules::solved_rules(&generate::yaml(&template, choices))
    });
}

#[test]
fn everything_that_is_said_can_be_shown() {
    hold_in_yaml(quiet::quiet);
    // What fuzzing found.
    for text in ["Type:\u{feff}A::B::C", "a: \0"] {
        assert_eq!(quiet::quiet(text), Ok(()), "{text:?}");
    }
}

#[test]
fn packaging_and_expanding_change_places() {
    let (all, kept) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    hold(|choices| {
        let template = generate::artifacts(choices);
        let is_kept = packaging::packaging(&generate::yaml(&template, choices))?;
        packaging::packaging(&generate::json(&template))?;
        all.set(all.get() + 1);
        kept.set(kept.get() + u32::from(is_kept));
        Ok(())
    });
    assert!(kept.get() * 2 > all.get(), "of {} templates only {} keep their loops", all.get(), kept.get());
}

#[test]
fn building_changes_where_artifacts_are() {
    let (all, kept) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
    hold(|choices| {
        let template = generate::artifacts(choices);
        let is_kept = building::building(&generate::yaml(&template, choices))?;
        all.set(all.get() + 1);
        kept.set(kept.get() + u32::from(is_kept));
        Ok(())
    });
    assert!(kept.get() * 3 > all.get(), "of {} templates only {} were built", all.get(), kept.get());
}

#[test]
fn projects_of_modules_say_the_same_in_both_formats() {
    for make in [generate::modules, generate::rooted, generate::wide] {
        hold_for_projects(make);
    }
}

#[test]
fn a_clean_template_is_clean_as_a_module() {
    let clean = std::cell::Cell::new(0_usize);
    for make in [generate::modules, generate::rooted, generate::wide] {
        hold(|choices| {
            clean.set(clean.get() + projects::clean_as_modules(&make(choices))?);
            Ok(())
        });
    }
    assert!(clean.get() > 10, "only {} files are clean", clean.get());
}

/// Tries the law of projects, of which some have to be sound.
fn hold_for_projects(make: impl Fn(&mut Choices<'_>) -> generate::Project) {
    let sound = std::cell::Cell::new(0_u32);
    hold(|choices| {
        let project = make(choices);
        let has_output = projects::projects(&project, choices)?;
        sound.set(sound.get() + u32::from(has_output));
        Ok(())
    });
    assert!(sound.get() > 10, "only {} projects have an output", sound.get());
}

#[test]
fn answers_about_places_agree() {
    let alone = |text: String| queries::queries(&[("template.yaml".to_owned(), text)]);
    hold(|choices| {
        let template = generate::template(choices);
        alone(generate::yaml(&template, choices))?;
        alone(generate::json(&template))
    });
    hold(|choices| {
        let project = generate::modules(choices);
        let text = |(path, value): (String, formwork_syntax::value::Value)| (path, generate::yaml(&value, choices));
        queries::queries(&project.into_iter().map(text).collect::<Vec<_>>())
    });
}

#[test]
fn files_that_include_each_other_end() {
    hold_for_projects(generate::includes);
}

#[test]
fn account_data_of_any_shape_is_read() {
    hold(|choices| {
        let account = generate::account(choices);
        projects::snapshot(&generate::yaml(&account, choices), Some(&generate::json(&account)))
    });
}

#[test]
fn an_import_is_its_body() {
    hold(|choices| modules_agree::an_import_is_its_body(&generate::module_body(choices)));
}

#[test]
fn properties_are_values_that_are_written_in() {
    let text = |text: &str| Value::String(text.to_owned());
    let names = Value::List(vec![text("a"), text("b-2")]);
    let values = [("Stage", text("dev")), ("Names", names), ("Count", Value::Number("2".to_owned()))];
    hold(|choices| modules_agree::properties_are_values(&generate::module_body(choices), &values));
}

#[test]
fn a_loop_of_imports_is_the_imports() {
    hold(|choices| {
        let items = ["dev", "prod", "x"];
        let count = choices.below(4);
        modules_agree::a_loop_is_its_imports(&generate::module_body(choices), &items[..count])
    });
}

#[test]
fn a_project_is_the_module_of_a_root() {
    for make in [generate::rooted, generate::wide] {
        let (all, sound) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(0_u32));
        hold(|choices| {
            let is_sound = module_of_root::module_of_root(&make(choices))?;
            all.set(all.get() + 1);
            sound.set(sound.get() + u32::from(is_sound));
            Ok(())
        });
        assert!(sound.get() * 6 > all.get(), "of {} projects only {} have an output", all.get(), sound.get());
    }
}

/// `PROPTEST_CASES=10000` is the bar.
#[test]
fn the_order_of_keys_has_no_effect() {
    for make in [generate::rooted, generate::wide, generate::modules] {
        let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
        hold_for(&(vec(any::<u8>(), 0..400), vec(any::<u8>(), 0..400)), |(project, order)| {
            let has_output = key_order::key_order(&make(&mut Choices::new(project)), &mut Choices::new(order))?;
            all.set(all.get() + 1);
            outputs.set(outputs.get() + usize::from(has_output));
            Ok(())
        });
        assert!(outputs.get() * 10 > all.get(), "of {} projects only {} have an output", all.get(), outputs.get());
    }
}

/// `PROPTEST_CASES=10000` is the bar.
#[test]
fn what_is_kept_is_deployed_with_other_values() {
    for make in [generate::rooted, generate::wide] {
        let (all, outputs) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
        hold(|choices| {
            outputs.set(outputs.get() + keep::keep(&make(choices))?);
            all.set(all.get() + 1);
            Ok(())
        });
        assert!(outputs.get() > all.get(), "of {} projects only {} outputs", all.get(), outputs.get());
    }
}

/// A map of variables that is written as a call by its tag has no key to write a value behind: found by
/// `of_two_entries_with_one_key_the_last_counts` at 10,000 cases.
#[test]
fn a_short_call_in_the_place_of_variables_is_written_as_a_map() {
    let text = r#"Transform: AWS::LanguageExtensions
Mappings: {Table: {prod: {Size: 3}}}
Parameters: {Secret: {Type: String, NoEcho: true}}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      One: !Sub ["${Ref}", !Ref {Fn::FindInMap: [Table, prod, Size, {DefaultValue: !Ref Secret}]}]
      Two: !Sub
        - "${Ref}-x"
        - !Ref
          Fn::FindInMap: [Table, prod, Size, {DefaultValue: !Ref Secret}]
      Three: !Sub ["${Ref}", !Ref abc]
"#;
    let count = duplicates::duplicates(text).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(count > 0, "no output");
}

/// What a `ForEach` generates is not evaluated again with its variables: found by
/// `of_two_entries_with_one_key_the_last_counts_in_projects` at 10,000 cases.
#[test]
fn what_a_copied_resource_is_made_of_has_its_origin() {
    let text = r#"Transform: AWS::LanguageExtensions
Parameters: {Label: {Type: String, Default: dev}}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    ForEach: "a,b"
    Properties:
      One: !Sub "${Label}${Identifier}"
      Two: !Join ["-", [$Identifier, !Ref Label, !Sub "${Index}"]]
      Three: !Select [0, [$Value, !Ref Label]]
"#;
    origins::origins(text).unwrap_or_else(|wrong| panic!("{wrong}"));
}

#[test]
fn directories_are_packaged_by_their_content() {
    hold(|choices| directories::directories(&generate::directory(choices)));
}

#[test]
fn an_include_is_its_text() {
    hold(|choices| modules_agree::an_include_is_its_text(&generate::module_body(choices)));
}

#[test]
fn a_loop_in_a_module_is_a_loop() {
    hold(|choices| modules_agree::an_import_is_its_body(&generate::module_body_with_loop(choices)));
}

#[test]
fn a_module_in_a_module_has_both_names() {
    hold(|choices| modules_compose::a_module_in_a_module_has_both_names(&generate::module_body_with_loop(choices)));
}

#[test]
fn a_constant_is_its_value() {
    let text = |text: &str| Value::String(text.to_owned());
    let values = [("Stage", text("dev")), ("Count", text("2"))];
    hold(|choices| modules_compose::a_constant_is_its_value(&generate::module_body(choices), &values));
}

#[test]
fn an_override_is_the_changed_body() {
    hold(|choices| {
        let new = generate::module_literal(choices);
        modules_compose::an_override_is_the_changed_body(&generate::module_body(choices), &new)
    });
}

#[test]
fn an_output_is_its_value() {
    hold(|choices| {
        let value = generate::module_value(choices);
        modules_compose::an_output_is_its_value(&generate::module_body(choices), &value)
    });
}

#[test]
fn a_copy_of_a_resource_is_a_resource() {
    hold(|choices| {
        let (value, count) = (generate::module_value(choices), choices.below(4));
        modules_compose::a_copy_is_a_resource(&generate::module_body(choices), &value, &["a", "b-2", "c"][..count])
    });
}

#[test]
fn a_passed_parameter_is_the_parameter() {
    hold(|choices| {
        let is_secret = choices.one_in(2);
        modules_compose::a_passed_parameter_is_the_parameter(&generate::module_body(choices), is_secret)
    });
}

#[test]
fn no_value_is_no_property() {
    hold(|choices| modules_compose::no_value_is_no_property(&generate::module_body(choices)));
}

#[test]
fn every_law_of_modules_holds_for_every_body() {
    hold(modules_compose::any);
}

/// `PROPTEST_CASES=10000` is the bar: edits and compilations by eight threads.
#[test]
fn threads_see_what_a_fresh_session_sees() {
    const STEPS: usize = 64;
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(1024_usize);
    let mut compared = 0;
    for seed in 0..cases.div_ceil(STEPS) as u64 {
        let mut random = generate::Random::new(seed + 1);
        let mut project = || {
            let bytes: Vec<u8> = (0..300).map(|_| random.below(256) as u8).collect();
            let mut choices = Choices::new(&bytes);
            [generate::rooted, generate::modules, generate::wide][seed as usize % 3](&mut choices)
        };
        let versions = [project(), project(), project()];
        let texts = |name: &str| -> Vec<String> {
            let files = versions.iter().flatten().filter(|(other, _)| other == name);
            let texts: Vec<String> = files.map(|(_, file)| generate::json(file)).collect();
            let broken = texts[0].get(..texts[0].len() / 2).unwrap_or("{").to_owned();
            texts.into_iter().chain([broken]).collect()
        };
        let files: Vec<shared::Versions> = versions[0].iter().map(|(name, _)| (name.clone(), texts(name))).collect();
        compared += shared::shared(&files, 8, STEPS, seed);
    }
    assert!(compared * 2 > cases, "of {cases} steps only {compared} were compared");
}
