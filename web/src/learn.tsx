// The page of those who have an access code: no account, no router, nothing of the pages of teachers.
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { LearnPage } from "./features/learn";
import { cspNonce } from "./lib/nonce";
import { applyTheme } from "./lib/theme";
import { TooltipProvider } from "./ui/tooltip";
import "./styles/index.css";

applyTheme();
setNonce(cspNonce());

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <TooltipProvider delayDuration={400}>
        <LearnPage />
      </TooltipProvider>
    </StrictMode>,
  );
}
