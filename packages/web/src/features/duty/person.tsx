import { useText } from "#core/i18n.ts";
import { JobTag, Section } from "#ui/small.tsx";
import { useOnDuty } from "./duty.queries.ts";
import { Since } from "./since.tsx";
import { DutyStateText } from "./state.tsx";
import classes from "./duty.module.css";

/** Whether a citizen is on duty, as far as the viewer sees who is; nothing otherwise. */
export default function PersonOnDuty({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const { rows } = useOnDuty();
  const person = rows.find(({ id }) => id === citizenId);
  if (!person) return null;
  return (
    <Section title={t("duty.title")}>
      <div className={classes["now"]}>
        <JobTag job={person.job} />
        <Since instant={person.since} />
        <DutyStateText state={person.state} seenAt={person.seenAt} />
      </div>
    </Section>
  );
}
