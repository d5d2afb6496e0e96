import { lazy, Suspense, useEffect, useState } from "react";
import { QueryClientProvider } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { loadPanelTexts, useText } from "#core/i18n.ts";
import { createQueries } from "#core/queries.ts";
import { go, usePath } from "#core/session/path.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import classes from "./account.module.css";

const Sections = lazy(async () => {
  const [{ AccountSections }] = await Promise.all([import("./account.tsx"), loadPanelTexts()]);
  return { default: AccountSections };
});

/** The account page before a character is chosen: also for accounts without one. */
export default function AccountAlone() {
  const { t } = useText();
  const [queries] = useState(createQueries);
  const section = usePath().split("/")[2];
  useEffect(() => {
    document.title = t("auth.account");
  }, [t]);
  return (
    <QueryClientProvider client={queries}>
      <main className={classes["page"]}>
        <div className={classes["inner"]}>
          <div className={classes["head"]}>
            <h1>{t("auth.account")}</h1>
            <div className={classes["headEnd"]}>
              <LanguageSwitch />
              <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} />} onClick={() => go("/")}>
                {t("auth.toCharacters")}
              </Button>
            </div>
          </div>
          <Suspense fallback={null}>
            <Sections section={section} onOpen={go} />
          </Suspense>
        </div>
      </main>
    </QueryClientProvider>
  );
}
