# Descriptive tables of an exported study. Run it in the directory of the export: Rscript analyse.R

read <- function(name) read.csv(paste0(name, ".csv"), encoding = "UTF-8", na.strings = "", stringsAsFactors = FALSE)

described <- function(title, values, groups) {
  cat("\n", title, "\n", sep = "")
  keep <- !is.na(values) & !is.na(groups)
  for (group in sort(unique(groups[keep]))) {
    own <- values[keep & groups == group]
    cat(sprintf("  %s: n %d  mean %.2f  sd %.2f  median %.2f\n", group, length(own), mean(own), sd(own), median(own)))
  }
}

runs <- subset(read("runs"), !as.logical(practice) & !is.na(how))
cat(nrow(read("participants")), "participants,", nrow(runs), "tasks\n")
described("Active minutes by condition", runs$active_ms / 60000, runs$condition)
described("Tokens received by condition", runs$output_tokens, runs$condition)
described("Findings of guards by condition", runs$findings, runs$condition)

decisions <- read("decisions")
cat("\nDecisions by condition\n")
if (nrow(decisions) > 0) print(table(decisions$condition, decisions$choice))

sections <- subset(read("sections"), question == "sections")
described("Distance from the first draft to the last, by condition", sections$distance, sections$condition)
cat("\nEdits by condition\n")
if (nrow(sections) > 0) print(table(sections$condition, sections$edit))

answers <- read("answers")
groups <- paste(paste(answers$questionnaire, answers$item, sep = "."), answers$moment,
                ifelse(is.na(answers$condition), "-", answers$condition))
described("Questionnaires", answers$value, groups)
