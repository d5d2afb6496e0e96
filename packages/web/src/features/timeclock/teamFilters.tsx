import { Select } from "@mantine/core";
import { useWorkedJob } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { useGroups } from "#features/jobgroups/jobgroups.api.ts";
import type { TeamFilter } from "./timeclock.queries.ts";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

interface TeamFiltersProps {
  readonly filter: TeamFilter;
  onFilter(next: Pick<TimeclockSearch, "grade" | "group">): void;
}

/** Whose hours are shown: of a grade, and of a group of the job. */
export function TeamFilters({ filter: { grade, group }, onFilter }: TeamFiltersProps) {
  const { t } = useText();
  const ofJob = useJob(useWorkedJob())?.grades ?? [];
  const seen = (useGroups().data?.items ?? []).filter(({ deleted }) => !deleted);
  const grades = new Map(ofJob.map((one) => [one.grade, one.label]));
  if (grade !== null && !grades.has(grade)) grades.set(grade, String(grade));
  const groups = new Map(seen.map(({ id, name }) => [id, name]));
  if (group !== null && !groups.has(group)) groups.set(group, String(group));
  return (
    <div className={classes["bar"]}>
      <Chosen
        label={t("timeclock.team.grade")}
        all={t("timeclock.team.allGrades")}
        options={[...grades].toSorted(([a], [b]) => b - a)}
        value={grade}
        onChoose={(value) => onFilter({ grade: value })}
      />
      {groups.size > 0 && (
        <Chosen
          label={t("timeclock.team.group")}
          all={t("timeclock.team.allGroups")}
          options={[...groups]}
          value={group}
          onChoose={(value) => onFilter({ group: value })}
        />
      )}
    </div>
  );
}

interface ChosenProps {
  readonly label: string;
  /** What it says while nothing is chosen. */
  readonly all: string;
  readonly options: readonly (readonly [value: number, label: string])[];
  readonly value: number | null;
  /** Empty for all. */
  onChoose(value: string): void;
}

function Chosen({ label, all, options, value, onChoose }: ChosenProps) {
  const { t } = useText();
  return (
    <Select
      className={classes["grade"] ?? ""}
      aria-label={label}
      placeholder={all}
      data={options.map(([id, name]) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      clearable
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
      onChange={(next) => onChoose(next ?? "")}
    />
  );
}
