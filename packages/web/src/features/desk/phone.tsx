import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconHeadset } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { usePresentCalls } from "#features/calls/calls.api.ts";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { callRows, waitingOf } from "./order.ts";
import classes from "./desk.module.css";

/** In place of the desk, where there is no room for it: how much waits, and where crews go. */
export function Phone() {
  const { t } = useText();
  const calls = usePresentCalls();
  const { data } = calls;
  return (
    <div className={classes["note"]}>
      <EmptyState
        page
        icon={IconHeadset}
        title={t("desk.phone.title")}
        text={t("desk.phone.text")}
        action={
          <span className={classes["buttons"]}>
            <Button renderRoot={(props) => <Link to="/dispatch/crew" {...props} />}>{t("desk.phone.crew")}</Button>
            <Button variant="default" renderRoot={(props) => <Link to="/units" {...props} />}>
              {t("desk.phone.units")}
            </Button>
          </span>
        }
      />
      {calls.isError && <ProblemNote error={calls.error} onRetry={() => void calls.refetch()} retrying={calls.isFetching} />}
      {calls.isPending && <Bars widths={["60%"]} />}
      {data && (
        <p className={classes["waiting"]}>
          {t("desk.phone.waiting", { count: data.open, waiting: waitingOf(callRows(data.items)).count })}
        </p>
      )}
    </div>
  );
}
