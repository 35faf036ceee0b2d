// Runs before anything is painted, so that the first frame has the theme that was chosen.
try {
  const theme = localStorage.getItem('catwalk.theme');
  if (theme === 'light' || theme === 'contrast') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the dark theme.
}
