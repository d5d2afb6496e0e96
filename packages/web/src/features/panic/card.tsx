import { panicPermissions } from "@rollcall/server/contract/panic";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { HomeCard } from "#ui/homeCard.tsx";
import { PanicButton } from "./panic.api.ts";
import { usePresentPanics } from "./panic.queries.ts";

/** The button, on duty. */
export default function PanicCard() {
  const { t } = useText();
  const { data } = usePresentPanics();
  const mayView = useAbilities().has(panicPermissions.view);
  if (data?.onDuty !== true) return null;
  return (
    <HomeCard
      title={t("panic.card.title")}
      to="/panic"
      action={t(mayView ? "panic.card.history" : "panic.card.open")}
      sentence={t("panic.card.sentence")}
    >
      <PanicButton />
    </HomeCard>
  );
}
