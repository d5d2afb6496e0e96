import type { ReactNode } from "react";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { gradeRule, type GroupRule, mostRules } from "@rollcall/server/contract/jobgroups";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { useRuleKinds } from "./jobgroups.queries.ts";
import classes from "./jobgroups.module.css";

interface RuleFieldsProps {
  readonly rules: readonly GroupRule[];
  readonly error: ReactNode;
  onChange(rules: GroupRule[]): void;
}

interface Kind {
  readonly kind: string;
  readonly options: readonly { readonly id: number; readonly name: string }[];
}

/** The rules of a group: each by grade, or by something that is chosen. */
export function RuleFields({ rules, error, onChange }: RuleFieldsProps) {
  const { t } = useText();
  const kinds: readonly Kind[] = useRuleKinds().data?.kinds ?? [];
  const grades = useJob(useActiveIdentity().character.job.name)?.grades ?? [];
  const full = rules.length >= mostRules;
  const add = (rule: GroupRule) => onChange([...rules, rule]);
  const offered = kinds.filter(({ options }) => options.length > 0);
  return (
    <fieldset className={classes["rules"]}>
      <legend>{t("jobgroups.form.rules")}</legend>
      <p className={classes["quiet"]}>{t(rules.length === 0 ? "jobgroups.rules.none" : "jobgroups.rules.hint")}</p>
      {rules.map((rule, at) => (
        <div key={at} className={classes["two"]}>
          <RuleField
            rule={rule}
            kinds={kinds}
            grades={grades}
            onChange={(changed) => onChange(rules.map((one, place) => (place === at ? changed : one)))}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t("jobgroups.rules.remove", { number: at + 1 })}
            onClick={() => onChange(rules.filter((_one, place) => place !== at))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      {error !== undefined && error !== null && <p role="alert">{error}</p>}
      <div className={classes["actions"]}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={full}
          onClick={() => add({ kind: gradeRule, id: null, from: grades[0]?.grade ?? 0, to: null })}
        >
          {t("jobgroups.rules.addGrade")}
        </Button>
        {offered.map(({ kind, options }) => (
          <Button
            key={kind}
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={full}
            onClick={() => add({ kind, id: options[0]?.id ?? null, from: null, to: null })}
          >
            {t(`jobgroups.rules.add.${kind}`)}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

interface RuleFieldProps {
  readonly rule: GroupRule;
  readonly kinds: readonly Kind[];
  readonly grades: readonly { readonly grade: number; readonly label: string }[];
  onChange(rule: GroupRule): void;
}

function RuleField({ rule, kinds, grades, onChange }: RuleFieldProps) {
  const { t } = useText();
  if (rule.kind === gradeRule) return <GradeField rule={rule} grades={grades} onChange={onChange} />;
  const options = kinds.find(({ kind }) => kind === rule.kind)?.options ?? [];
  const known = options.map(({ id, name }) => ({ value: String(id), label: name }));
  const gone = { value: String(rule.id), label: t("jobgroups.rules.gone", { kind: t(`jobgroups.rules.kinds.${rule.kind}`) }) };
  return (
    <Select
      label={t(`jobgroups.rules.kinds.${rule.kind}`)}
      searchable
      data={options.some(({ id }) => id === rule.id) ? known : [gone, ...known]}
      value={String(rule.id)}
      onChange={(id) => id !== null && onChange({ ...rule, id: Number(id) })}
      allowDeselect={false}
    />
  );
}

function GradeField({ rule, grades, onChange }: Omit<RuleFieldProps, "kinds">) {
  const { t } = useText();
  const numbers = grades.map(({ grade, label }) => ({ value: String(grade), label: `${label} (${grade})` }));
  const withOwn = (grade: number | null) =>
    grade === null || numbers.some(({ value }) => value === String(grade))
      ? numbers
      : [{ value: String(grade), label: String(grade) }, ...numbers];
  return (
    <>
      <Select
        label={t("jobgroups.rules.fromGrade")}
        data={withOwn(rule.from)}
        value={String(rule.from)}
        onChange={(grade) => grade !== null && onChange({ ...rule, from: Number(grade) })}
        allowDeselect={false}
      />
      <Select
        label={t("jobgroups.rules.toGrade")}
        placeholder={t("jobgroups.rules.highest")}
        data={withOwn(rule.to)}
        value={rule.to === null ? null : String(rule.to)}
        onChange={(grade) => onChange({ ...rule, to: grade === null ? null : Number(grade) })}
        clearable
        clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
      />
    </>
  );
}
