#[inline(never)]
fn area(side: u32) -> u32 {
    let mut total = 0;
    for _ in 0..side {
        total += side;
    }
    total
}

fn main() {
    let mut sum = 0;
    for i in 1..=10 {
        if i % 3 == 0 {
            sum += area(i);
        }
    }
    println!("{}", sum);
}
