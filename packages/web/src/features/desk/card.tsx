import { useText } from "#core/i18n.ts";
import { shortAge } from "#core/time.ts";
import { usePresentCalls } from "#features/calls/calls.api.ts";
import { HomeCard } from "#ui/homeCard.tsx";
import { useServerNow } from "#ui/small.tsx";
import { useDispatchers } from "./desk.queries.ts";
import { callRows, waitingOf } from "./order.ts";

/** For dispatchers: what waits, and who dispatches now. Nothing while nothing waits. */
export default function DeskCard() {
  const { t } = useText();
  const now = useServerNow(5_000);
  const { data } = usePresentCalls();
  const dispatchers = useDispatchers().data?.items ?? [];
  if (data === undefined) return null;
  const { count, since } = waitingOf(callRows(data.items));
  if (since === null) return null;
  const oldest = shortAge(now - since);
  return (
    <HomeCard
      title={t("desk.title")}
      to="/dispatch"
      action={t("desk.card.open")}
      sentence={
        dispatchers.length === 0
          ? t("desk.card.nobody", { count, oldest })
          : t("desk.card.waiting", { count, oldest, names: dispatchers.map(({ name }) => name).join(", ") })
      }
    />
  );
}
