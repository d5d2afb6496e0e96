import { Link } from "@tanstack/react-router";
import { IconPhoneCall } from "@tabler/icons-react";
import { callsPermissions } from "@rollcall/server/contract/calls";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { useOwnCalls } from "./calls.queries.ts";
import classes from "./calls.module.css";

/** What the viewer called for and is shown as the caller of. */
export function OwnCalls() {
  const { t } = useText();
  const mayCall = useAbilities().has(callsPermissions.create);
  const query = useOwnCalls();
  const items = query.data?.items ?? [];
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (query.isPending) return <Bars widths={["60%", "80%"]} />;
  if (items.length === 0) {
    const text = t(mayCall ? "calls.own.emptyText" : "calls.own.notAllowed");
    return <EmptyState icon={IconPhoneCall} title={t("calls.own.empty")} text={text} />;
  }
  return (
    <PanelSection title={t("calls.own.title")} lead={t("calls.own.lead")}>
      <ul className={classes["list"]}>
        {items.map(({ id, message, state, createdAt }) => (
          <li key={id}>
            <Link to="/calls/$id" params={{ id: String(id) }} className={classes["about"] ?? ""}>
              {message}
            </Link>
            <span>{t(`calls.states.${state}`)}</span>
            <TimeAgo instant={createdAt} />
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}
