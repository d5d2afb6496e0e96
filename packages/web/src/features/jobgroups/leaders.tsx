import { Button } from "@mantine/core";
import { mostLeaders, type WholeGroup } from "@rollcall/server/contract/jobgroups";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { Section } from "#ui/small.tsx";
import { usePeopleChanges } from "./jobgroups.queries.ts";
import { PersonSelect } from "./personSelect.tsx";
import classes from "./jobgroups.module.css";

/** Who leads a group. */
export function Leaders({ group: { id, leaders, may } }: { readonly group: WholeGroup }) {
  const { t } = useText();
  const change = usePeopleChanges(id);
  const nameOf = useNamer();
  const job = useActiveIdentity().character.job.name;
  const manages = may.includes("manage");
  return (
    <Section title={t("jobgroups.leaders.title")}>
      {leaders.length === 0 && <p className={classes["quiet"]}>{t("jobgroups.leaders.none")}</p>}
      <ul className={classes["list"]}>
        {leaders.map(({ id: person, name }) => (
          <li key={person}>
            <span className={classes["about"]}>{nameOf({ id: person, name }, job)}</span>
            {manages && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t("jobgroups.leaders.endNamed", { name })}
                onClick={() => void change("leaders", { remove: [person] }, t("jobgroups.leaders.ended", { name }))}
              >
                {t("jobgroups.leaders.end")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {manages && leaders.length < mostLeaders && (
        <PersonSelect
          label={t("jobgroups.leaders.add")}
          submit={t("jobgroups.leaders.submit")}
          onChosen={async ({ id: citizen, name }) =>
            await change("leaders", { add: [citizen] }, t("jobgroups.leaders.added", { name }))
          }
        />
      )}
    </Section>
  );
}
