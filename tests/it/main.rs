//! The program and its floors from outside: what no single module can show of itself.

mod cases;
mod cli;
mod config;
mod event_logs;
mod findings;
mod floors;
mod follow;
mod history;
mod hostile;
mod keys;
mod needles;
mod pty;
mod readme;
mod rules;
mod screen_mux;
mod screens;
mod secrets;
mod session;
mod spark;
mod spark_jobs;
mod ssh;
mod terminal;
mod tmux;
mod wrapped_cases;
mod wrappings;
mod x11;
