//! A group of cells is a struct of cells.

use tallrow::CellGroup;

#[derive(CellGroup)]
enum Choice {
    A,
    B,
}

#[derive(CellGroup)]
struct Tuple(u32, u32);

#[derive(CellGroup)]
struct Empty {}

#[derive(CellGroup)]
struct Plain {
    a: u32,
}

fn main() {}
