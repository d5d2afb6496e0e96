import { ActionIcon, Button, Checkbox, MultiSelect, Select, Switch } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { attributeName, gradesAs, valueName, type Attribute, type Value } from "./grants.ts";
import { useAttributeText } from "./naming.tsx";
import { RowsEditor } from "./rowsEditor.tsx";
import classes from "./access.module.css";
import own from "./attributes.module.css";

export interface Job {
  readonly name: string;
  readonly label: string;
  readonly grades: readonly { readonly grade: number; readonly label: string }[];
}

interface EditorProps {
  /** Id of the permission. */
  readonly permission: string;
  readonly feature: string;
  readonly attribute: Attribute;
  readonly jobs: readonly Job[];
  readonly readOnly: boolean;
  /** Undefined where the attribute is not set here. */
  readonly value: Value | undefined;
  /** The value in effect while it is not set here. */
  readonly otherwise: string;
  /** The initial value when it is set. */
  readonly initial: Value;
  onChange(value: Value | undefined): void;
}

/** Editor of one attribute, which is inherited or set here. */
export function AttributeEditor(props: EditorProps) {
  const { t } = useText();
  const textOf = useAttributeText();
  const { permission, attribute, value, readOnly, feature } = props;
  const name = attributeName(t, attribute.name);
  return (
    <div className={own["attribute"]}>
      <Switch
        size="xs"
        label={name}
        checked={value !== undefined}
        disabled={readOnly}
        onChange={(event) => props.onChange(event.currentTarget.checked ? props.initial : undefined)}
      />
      {value === undefined ? (
        <span className={classes["quiet"]}>{props.otherwise}</span>
      ) : readOnly ? (
        <span>{textOf(permission, attribute.name, value)}</span>
      ) : attribute.type === "strings" ? (
        <StringsEditor {...props} name={name} value={value as readonly string[]} />
      ) : attribute.type === "rank" ? (
        <Select
          size="xs"
          aria-label={name}
          data={attribute.values.map((one) => ({ value: one, label: valueName(t, feature, one) }))}
          value={attribute.values.findLast((one) => (value as readonly string[]).includes(one)) ?? null}
          allowDeselect={false}
          onChange={(one) => props.onChange(attribute.values.slice(0, attribute.values.indexOf(one ?? "") + 1))}
        />
      ) : attribute.type === "data" ? (
        <RowsEditor name={name} source={attribute.source ?? ""} value={value as readonly string[]} onChange={props.onChange} />
      ) : attribute.type === "jobs" ? (
        <MultiSelect
          aria-label={name}
          size="xs"
          searchable
          data={props.jobs.map((job) => ({ value: job.name, label: job.label }))}
          value={[...(value as readonly string[])]}
          onChange={props.onChange}
        />
      ) : (
        <JobGradesEditor {...props} name={name} value={value as JobGrades} />
      )}
    </div>
  );
}

type JobGrades = Readonly<Record<string, number | readonly number[]>>;

function StringsEditor(props: Omit<EditorProps, "value"> & { name: string; value: readonly string[] }) {
  const { t } = useText();
  const { attribute, value, feature, onChange } = props;
  const toggled = (one: string, on: boolean) => attribute.values.filter((other) => (other === one ? on : value.includes(other)));
  return (
    <div className={own["checks"]} role="group" aria-label={props.name}>
      {attribute.values.map((one) => (
        <Checkbox
          key={one}
          size="xs"
          label={valueName(t, feature, one)}
          checked={value.includes(one)}
          onChange={(event) => onChange(toggled(one, event.currentTarget.checked))}
        />
      ))}
      {attribute.values.length > 2 && (
        <span>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange([...attribute.values])}>
            {t("access.all")}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange([])}>
            {t("access.none")}
          </Button>
        </span>
      )}
    </div>
  );
}

function JobGradesEditor(props: Omit<EditorProps, "value"> & { name: string; value: JobGrades }) {
  const { t } = useText();
  const { value, jobs, onChange } = props;
  const put = (job: string, grades: number | readonly number[]) => onChange({ ...value, [job]: grades });
  const rest = jobs.filter((job) => value[job.name] === undefined);
  return (
    <div className={own["jobGrades"]}>
      {Object.entries(value).map(([name, grades]) => {
        const job = jobs.find((one) => one.name === name) ?? { name, label: name, grades: [] };
        const only = typeof grades !== "number";
        const { [name]: _gone, ...others } = value;
        return (
          <div key={name} className={own["jobGrade"]}>
            <strong>{job.label}</strong>
            <Switch
              size="xs"
              label={t("access.onlyThese")}
              checked={only}
              onChange={(event) => put(name, gradesAs(event.currentTarget.checked, grades, job))}
            />
            {only ? (
              <div className={own["checks"]} role="group" aria-label={`${props.name}: ${job.label}`}>
                {job.grades.map(({ grade, label }) => (
                  <Checkbox
                    key={grade}
                    size="xs"
                    label={label}
                    checked={grades.includes(grade)}
                    onChange={(event) =>
                      put(
                        name,
                        event.currentTarget.checked
                          ? [...grades, grade].toSorted((a, b) => a - b)
                          : grades.filter((g) => g !== grade),
                      )
                    }
                  />
                ))}
              </div>
            ) : (
              <Select
                size="xs"
                aria-label={`${props.name}: ${job.label}`}
                data={job.grades.map(({ grade, label }) => ({ value: String(grade), label: t("access.upToGrade", { label }) }))}
                value={String(grades)}
                allowDeselect={false}
                onChange={(grade) => grade !== null && put(name, Number(grade))}
              />
            )}
            <ActionIcon size="sm" aria-label={t("access.removeJob", { job: job.label })} onClick={() => onChange(others)}>
              <IconTrash size={14} />
            </ActionIcon>
          </div>
        );
      })}
      {rest.length > 0 && (
        <Select
          size="xs"
          aria-label={t("access.addJob")}
          placeholder={t("access.addJob")}
          searchable
          data={rest.map((job) => ({ value: job.name, label: job.label }))}
          value={null}
          onChange={(name) => name !== null && put(name, jobs.find((job) => job.name === name)?.grades.at(-1)?.grade ?? 0)}
        />
      )}
    </div>
  );
}
