import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { Section } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { GroupTag } from "./groupTag.tsx";
import { useGroupsOf } from "./jobgroups.queries.ts";
import classes from "./jobgroups.module.css";

/** The groups of a colleague, in their profile. */
export default function PersonTab({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const query = useGroupsOf(citizenId);
  const items = query.data?.items ?? [];
  return (
    <Section title={t("jobgroups.title")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "50%"]} />}
      {query.data && items.length === 0 && <p className={classes["quiet"]}>{t("jobgroups.people.none")}</p>}
      <ul className={classes["list"]} data-groups>
        {items.map(({ group, member, leads }) => (
          <li key={group.id}>
            <Link to="/groups/$id" params={{ id: String(group.id) }}>
              <GroupTag group={group} />
            </Link>
            <span className={`${classes["line"]} ${classes["quiet"]}`}>
              {member && <span>{t("jobgroups.people.member")}</span>}
              {leads && <span>{t("jobgroups.members.leads")}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
