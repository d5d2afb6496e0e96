import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconLock, IconPlus, IconX } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { mostEntries } from "@rollcall/server/contract/accesslists";
import type { getNotice } from "@rollcall/server/contract/notices";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { permissionName } from "#core/messages.ts";
import { jobOption } from "#ui/small.tsx";
import { CitizenSelect } from "#features/citizens/citizens.api.ts";
import { useGroups } from "#features/jobgroups/jobgroups.api.ts";
import classes from "./accesslists.module.css";

export type Entry = NonNullable<OutputOf<typeof getNotice>["access"]>["entries"][number] & { readonly name?: string };
export type Entries = readonly Entry[];

export interface AccessEditorProps {
  /** In ascending order, without `blocked`. */
  readonly levels: readonly string[];
  readonly value: Entries;
  /** Whether entries may name jobs other than the viewer's; those that are there stay. */
  readonly otherJobs: boolean;
  /** What the list decides; left out, who can see something. */
  readonly title?: string;
  onChange(entries: Entries): void;
}

/** The entries of an access list: who has which level. */
export default function AccessEditor({ levels, value, otherJobs, title, onChange }: AccessEditorProps) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const mayPick = useAbilities().has(citizensPermissions.list);
  const groups = useOwnGroups();
  const full = value.length >= mostEntries;
  const add = (entry: Entry) => onChange([...value, entry]);
  const fresh = { minGrade: 0, id: 0, level: levels[0] ?? "view", required: null };

  return (
    <fieldset className={classes["editor"]}>
      <legend>{title ?? t("accesslists.title")}</legend>
      <p className={classes["quiet"]}>{t("accesslists.lead")}</p>
      <ul className={classes["rows"]}>
        {value.map((entry, index) => (
          <li key={index}>
            <Row
              entry={entry}
              levels={levels}
              mayPick={mayPick}
              otherJobs={otherJobs}
              number={index + 1}
              onChange={(changed) => onChange(value.map((one, at) => (at === index ? changed : one)))}
              onRemove={() => onChange(value.filter((_one, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <div className={classes["add"]}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={full}
          onClick={() => add({ ...fresh, subject: "job", job: character.job.name })}
        >
          {t("accesslists.addJob")}
        </Button>
        {mayPick && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={full}
            onClick={() => add({ ...fresh, subject: "citizen", job: "" })}
          >
            {t("accesslists.addCitizen")}
          </Button>
        )}
        {groups.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={full}
            onClick={() => add({ ...fresh, subject: "group", job: "", id: groups[0]?.id ?? 0 })}
          >
            {t("accesslists.addGroup")}
          </Button>
        )}
        {!mayPick && (
          <span className={classes["quiet"]}>
            {t("accesslists.peopleHidden", { right: permissionName(t, citizensPermissions.list.id) })}
          </span>
        )}
        {full && <span className={classes["quiet"]}>{t("accesslists.full", { most: mostEntries })}</span>}
      </div>
    </fieldset>
  );
}

function Row(props: {
  entry: Entry;
  levels: readonly string[];
  /** Whether the viewer may search citizens; otherwise the list shows them by number. */
  mayPick: boolean;
  otherJobs: boolean;
  number: number;
  onChange: (entry: Entry) => void;
  onRemove: () => void;
}) {
  const { t } = useText();
  const { entry, levels, onChange } = props;
  const locked = entry.required !== null;
  const from = locked ? levels.indexOf(entry.required ?? "") : 0;
  const offered = locked ? levels.slice(Math.max(0, from)) : ["blocked", ...levels];
  return (
    <div className={classes["row"]}>
      {entry.subject === "job" && <JobFields {...props} />}
      {entry.subject === "group" && <GroupField {...props} />}
      {entry.subject === "citizen" && (props.mayPick ? <CitizenField {...props} /> : <Numbered entry={entry} />)}
      <Select
        label={t("accesslists.level")}
        data={offered.map((level) => ({ value: level, label: t(`accesslists.levels.${level}`) }))}
        value={entry.level}
        onChange={(level) => level && onChange({ ...entry, level })}
        allowDeselect={false}
      />
      {locked ? (
        <span className={classes["lock"]} title={t("accesslists.required")}>
          <IconLock size={16} aria-label={t("accesslists.required")} />
        </span>
      ) : (
        <ActionIcon
          className={classes["remove"] ?? ""}
          onClick={props.onRemove}
          aria-label={t("accesslists.remove", { number: props.number })}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  );
}

function JobFields(props: { entry: Entry; otherJobs: boolean; onChange: (entry: Entry) => void }) {
  const { t } = useText();
  const { entry, otherJobs, onChange } = props;
  const { character } = useActiveIdentity();
  const query = useJobs();
  const all = query.data?.jobs ?? [{ name: entry.job, label: entry.job, grades: [] }];
  const jobs = all.filter(({ name }) => otherJobs || name === character.job.name || name === entry.job);
  const grades = jobs.find(({ name }) => name === entry.job)?.grades ?? [];
  const numbers = grades.map(({ grade, label }) => ({ value: String(grade), label: `${label} (${grade})` }));
  const known = numbers.some(({ value }) => value === String(entry.minGrade));
  const data = known ? numbers : [{ value: String(entry.minGrade), label: String(entry.minGrade) }, ...numbers];
  return (
    <>
      <Select
        label={t("accesslists.job")}
        searchable
        data={jobs.map(({ name, label }) => ({ value: name, label }))}
        renderOption={jobOption}
        value={entry.job}
        disabled={entry.required !== null}
        onChange={(job) => job && onChange({ ...entry, job, minGrade: 0 })}
        allowDeselect={false}
      />
      <Select
        label={t("accesslists.fromGrade")}
        data={data}
        value={String(entry.minGrade)}
        disabled={entry.required !== null}
        onChange={(grade) => grade && onChange({ ...entry, minGrade: Number(grade) })}
        allowDeselect={false}
      />
    </>
  );
}

/** Groups of the own job that the viewer sees. */
function useOwnGroups() {
  return (useGroups().data?.items ?? []).filter(({ deleted }) => !deleted);
}

/** A group of the own job; one that the viewer does not see is shown by its number. */
function GroupField({ entry, onChange }: { entry: Entry; onChange: (entry: Entry) => void }) {
  const { t } = useText();
  const known = useOwnGroups().map(({ id, name }) => ({ value: String(id), label: name }));
  const value = String(entry.id);
  const data = known.some((one) => one.value === value) ? known : [{ value, label: `GRP-${entry.id}` }, ...known];
  return (
    <div className={classes["person"]}>
      <Select
        label={t("accesslists.group")}
        searchable
        data={data}
        value={value}
        disabled={entry.required !== null}
        onChange={(id) => id !== null && onChange({ ...entry, id: Number(id) })}
        allowDeselect={false}
      />
    </div>
  );
}

/** A citizen whose name the viewer may not see. */
function Numbered({ entry }: { entry: Entry }) {
  const { t } = useText();
  return (
    <div className={classes["person"]}>
      <TextInput label={t("accesslists.citizen")} value={`CIT-${entry.id}`} readOnly />
    </div>
  );
}

function CitizenField({ entry, onChange }: { entry: Entry; onChange: (entry: Entry) => void }) {
  const { t } = useText();
  const value = entry.id === 0 ? null : { id: entry.id, name: entry.name ?? `CIT-${entry.id}` };
  return (
    <div className={classes["person"]}>
      <CitizenSelect
        label={t("accesslists.citizen")}
        value={value}
        onChange={(citizen) => onChange({ ...entry, id: citizen?.id ?? 0, ...(citizen ? { name: citizen.name } : {}) })}
      />
    </div>
  );
}
