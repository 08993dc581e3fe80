/** What people call the console: the title that its page comes with, which the stage chooses. */
export const PRODUCT = document.title;
